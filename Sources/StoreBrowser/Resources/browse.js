// What pages do on their own: choosing rows, and watching a delete. Everything can be read without it.
"use strict";

const boxes = () => [...document.querySelectorAll('input[name="object"]')];

function showSelection() {
  const chosen = boxes().filter((box) => box.checked).length;
  const words = document.querySelector("[data-selected]");
  if (words) words.textContent = chosen === 1 ? "1 row" : `${chosen} rows`;
  const all = document.querySelector("[data-all]");
  if (all) {
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

// A page that comes back from the browser's memory has its boxes as they were.
addEventListener("pageshow", showSelection);

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

/** Told by the server as it happens; the connection is made anew by itself should it break. */
function watch(element) {
  const address = element.matches("a") ? element.getAttribute("href") : location.pathname;
  const source = new EventSource(`${address}.events`);
  source.onmessage = ({ data }) => {
    const now = JSON.parse(data);
    if (!fits(element, now)) {
      source.close();
      location.reload();
      return;
    }
    element.classList.replace(element.dataset.work, now.phase);
    element.dataset.work = now.phase;
    element.querySelector("[data-title]").textContent = now.title;
    element.querySelector("[data-text]").textContent = now.text;
    const bar = element.querySelector("progress");
    if (bar) bar.value = now.share;
  };
  source.onerror = () => {
    element.querySelector("[data-text]").textContent = "modelstore browse has ended, or cannot be reached.";
  };
}

for (const element of document.querySelectorAll("[data-work]")) {
  if (underWay.includes(element.dataset.work)) watch(element);
}
