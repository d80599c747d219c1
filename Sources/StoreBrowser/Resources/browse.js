// What pages do on their own: choosing rows, and watching a delete. Everything can be read without it.
"use strict";

const boxes = () => [...document.querySelectorAll('input[name="object"]')];

function showSelection() {
  const chosen = boxes().filter((box) => box.checked).length;
  const words = document.querySelector("[data-selected]");
  if (words) words.textContent = chosen === 1 ? "1 row" : `${chosen} rows`;
  for (const all of document.querySelectorAll("[data-all]")) {
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && chosen < boxes().length;
  }
  for (const box of boxes()) box.closest("tr").classList.toggle("chosen", box.checked);
}

let lastBox = null;
document.addEventListener("click", (event) => {
  const box = event.target.closest('input[name="object"]');
  if (!box) return;
  // With the shift key, all between the last one and this.
  if (event.shiftKey && lastBox) {
    const list = boxes();
    const ends = [list.indexOf(lastBox), list.indexOf(box)].sort((one, other) => one - other);
    for (const between of list.slice(ends[0], ends[1] + 1)) between.checked = box.checked;
  }
  lastBox = box;
  showSelection();
});

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-all]")) return;
  for (const box of boxes()) box.checked = event.target.checked;
  showSelection();
});

// A page that comes back from the browser's memory is of what was then: it may offer what is done already.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return showSelection();
  const chosen = boxes().filter((box) => box.checked).map((box) => box.value);
  try { sessionStorage.setItem("chosen", JSON.stringify({ page: location.href, chosen })); } catch {}
  location.reload();
});

/** Rows that were chosen before the page was loaded again. */
function chooseAgain() {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem("chosen"));
    sessionStorage.removeItem("chosen");
  } catch {}
  if (kept?.page !== location.href) return;
  for (const box of boxes()) box.checked = kept.chosen.includes(box.value);
}
chooseAgain();

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector('input[name="where"]');
  if (field) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});

// Buttons that change something are pressed once.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  for (const button of event.target.querySelectorAll("button")) button.disabled = true;
});

// Numbers of rows, where they were not counted yet, or others wrote since: no page waits for that.

async function showCounts(list) {
  const answer = await fetch(list.dataset.counts);
  if (!answer.ok) return;
  for (const { name, rows } of (await answer.json()).entities) {
    const place = list.querySelector(`[data-entity="${CSS.escape(name)}"]`);
    if (!place) continue;
    place.textContent = rows.toLocaleString("en-US");
    place.closest("li").classList.toggle("empty", rows === 0);
  }
  delete list.dataset.counts;
}

for (const list of document.querySelectorAll("[data-counts]")) {
  // The page was left, or the program has ended: the numbers stay as they are.
  showCounts(list).catch(() => {});
}

// Watching

const underWay = ["copying", "deleting", "stopping", "restoring", "forgetting", "dropping"];

/** Whether the page has what the new phase wants: a button to stop is not made here. */
function fits(element, now) {
  if (!underWay.includes(now.phase)) return false;
  return element.matches("a") || Boolean(element.querySelector("[data-action=stop]")) === now.mayStop;
}

/** Those that are told; see `pauseWatching`. */
const watches = [];

/** Told by the server as it happens. */
function watch(element) {
  const address = element.matches("a") ? element.getAttribute("href") : location.pathname;
  const file = document.title.slice(document.title.lastIndexOf(" · "));
  let source = null;

  function show(title, text) {
    element.querySelector("[data-title]").textContent = title;
    element.querySelector("[data-text]").textContent = text;
    if (!element.matches("a")) document.title = title + file;
  }

  function tell(now) {
    if (!fits(element, now)) {
      close();
      location.reload();
      return;
    }
    element.classList.replace(element.dataset.work, now.phase);
    element.dataset.work = now.phase;
    show(now.title, now.text);
    const bar = element.querySelector("progress");
    if (bar) bar.value = now.share;
    for (const button of element.querySelectorAll("[data-lost]")) {
      delete button.dataset.lost;
      button.disabled = false;
    }
  }

  /** The connection ended: nothing is under way any more, or nobody answers. */
  async function ask() {
    close();
    try {
      const answer = await fetch(`${address}.json`);
      if (!answer.ok) throw new Error(answer.status);
      tell(await answer.json());
    } catch {
      show("Not connected", "modelstore browse has ended, or cannot be reached. What is done stays done; start it again to go on.");
      for (const button of element.querySelectorAll("button:enabled")) {
        button.dataset.lost = "";
        button.disabled = true;
      }
    }
    setTimeout(open, 2000);
  }

  function open() {
    if (source || document.hidden) return;
    source = new EventSource(`${address}.events`);
    source.onmessage = ({ data }) => tell(JSON.parse(data));
    source.onerror = ask;
  }

  function close() {
    source?.close();
    source = null;
  }

  watches.push({ open, close });
  open();
}

// A browser has six connections to one place, in all its tabs. Who is not looked at gives its own back, and who asks for
// something else needs it for that.
function pauseWatching() {
  for (const { close } of watches) close();
  setTimeout(goOnWatching, 3000);
}

function goOnWatching() {
  for (const { open, close } of watches) document.hidden ? close() : open();
}

document.addEventListener("visibilitychange", goOnWatching);
document.addEventListener("submit", pauseWatching);

for (const element of document.querySelectorAll("[data-work]")) {
  if (underWay.includes(element.dataset.work)) watch(element);
}
document.addEventListener("click", (event) => {
  if (event.target.closest("a[href]")) pauseWatching();
});

// What is larger than its place

function showFade(place) {
  const rest = place.scrollWidth - place.clientWidth - place.scrollLeft;
  place.classList.toggle("further", rest > 2);
}

for (const place of document.querySelectorAll(".scroll:not(.diagram)")) {
  place.addEventListener("scroll", () => showFade(place), { passive: true });
  const second = place.querySelector("thead th:nth-child(2)");
  new ResizeObserver(() => {
    showFade(place);
    // Where the third column stays: beside the two before it.
    const first = second?.previousElementSibling;
    if (first) place.style.setProperty("--lead", `${first.offsetWidth + second.offsetWidth}px`);
  }).observe(place);
}

/** A large diagram opens where its first box is, unless there is one at its beginning. */
function showFirstBox(diagram) {
  diagram.scrollTo(0, 0);
  const frame = diagram.getBoundingClientRect();
  const found = [...diagram.querySelectorAll("svg a")].map((box) => box.getBoundingClientRect());
  if (!found.length || found.some((box) => box.left < frame.right && box.top < frame.bottom)) return;
  const first = found.reduce((one, other) => (other.left - one.left || other.top - one.top) < 0 ? other : one);
  if (first.right > frame.right) diagram.scrollLeft += first.left - frame.left - 24;
  if (first.bottom > frame.bottom) diagram.scrollTop += first.top - frame.top - (frame.height - first.height) / 2;
}

for (const diagram of document.querySelectorAll(".diagram")) {
  const button = document.querySelector("[data-fit]");
  showFirstBox(diagram);
  if (diagram.scrollWidth <= diagram.clientWidth && diagram.scrollHeight <= diagram.clientHeight) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isFitted = diagram.classList.toggle("fit");
    button.setAttribute("aria-pressed", isFitted);
    if (!isFitted) showFirstBox(diagram);
  });
}
