// Optional scripting of pages: selecting rows, completing input, editing in place, progress of operations. Everything works
// without scripts, too.
"use strict";

const boxes = () => [...document.querySelectorAll('input[type="checkbox"][name="object"]')];

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
  const box = event.target.closest('input[type="checkbox"][name="object"]');
  if (!box) return;
  // With the shift key, selects all rows between the last one and this.
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

// A page restored from the browser's cache is outdated: it may offer actions that have been performed already.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return showSelection();
  const chosen = boxes().filter((box) => box.checked).map((box) => box.value);
  try { sessionStorage.setItem("chosen", JSON.stringify({ page: location.href, chosen })); } catch {}
  location.reload();
});

/** Selects the rows again that were selected before a reload. */
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

// Disables the buttons of a form that changes something, so that it is sent only once.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  for (const button of event.target.querySelectorAll("button")) button.disabled = true;
});

// Loads row counts that are unknown or outdated, so that pages need not wait for them.

async function showCounts(list) {
  const answer = await fetch(list.dataset.counts);
  if (!answer.ok) return;
  putCounts(list, await answer.json());
  delete list.dataset.counts;
}

function putCounts(list, { entities }) {
  for (const { name, rows } of entities) {
    const place = list.querySelector(`[data-entity="${CSS.escape(name)}"]`);
    if (!place) continue;
    place.textContent = rows.toLocaleString("en-US");
    place.closest("li").classList.toggle("empty", rows === 0);
  }
}

for (const list of document.querySelectorAll("[data-counts]")) {
  // The user left the page, or the server has ended: the counts stay unchanged.
  showCounts(list).catch(() => {});
}

// Follows writes of other processes: counts, and the parts of a page marked `data-live`. The server compares the stamps of
// the file, and counts again only what a write has changed. Each request closes its connection, so that tabs do not hold any.

/** In milliseconds, from one answer to the next request. */
const betweenLooks = 2000;
/** The state of the file that the page shows. */
let shownState = null;

const stateOf = ({ bytes, rows, newestTransaction, entities }) =>
  JSON.stringify([bytes, rows, newestTransaction, entities.map((entity) => entity.ownRows)]);

/** Whether the user is choosing or typing something that another content would disturb. */
const isBusy = () => document.querySelector("dialog[open], .editing, details.menu[open], [data-live] [aria-expanded=true]") !== null;

/** Replaces the marked parts of this page with those of a new one; keeps selected rows, focus and scroll positions. */
function showLive(page) {
  const chosen = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
  const focus = document.activeElement?.closest("[data-live]") ? document.activeElement : null;
  const [address, value] = [focus?.getAttribute("href"), focus?.getAttribute("value")];
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!next || next.innerHTML === part.innerHTML) continue;
    const scrollers = () => part.querySelectorAll(".scroll");
    const places = [...scrollers()].map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
    part.replaceChildren(...next.childNodes);
    [...scrollers()].forEach((scroller, index) => scroller.scrollTo(...(places[index] ?? [0, 0])));
  }
  for (const box of boxes()) box.checked = chosen.has(box.value);
  lastBox = null;
  showSelection();
  watchScrollers();
  if (!focus || focus.isConnected) return;
  const same = [...document.querySelectorAll("[data-live] a[href], [data-live] input")].find((element) =>
    address ? element.getAttribute("href") === address : value && element.getAttribute("value") === value);
  same?.focus({ preventScroll: true });
}

async function look(list) {
  const answer = await fetch(list.dataset.follows);
  if (!answer.ok) return;
  const value = await answer.json();
  const state = stateOf(value);
  if (state === shownState) return;
  putCounts(list, value);
  const isFirst = shownState === null;
  if (!isFirst && document.querySelector("[data-live]")) {
    if (isBusy()) return;
    const page = await fetch(location.href);
    if (!page.ok || isBusy()) return;
    showLive(new DOMParser().parseFromString(await page.text(), "text/html"));
  }
  shownState = state;
}

function follow(list) {
  const next = () => setTimeout(async () => {
    // The server may have ended, and be started again.
    if (!document.hidden) await look(list).catch(() => {});
    next();
  }, betweenLooks);
  look(list).catch(() => {});
  next();
}

for (const list of document.querySelectorAll("[data-follows]")) follow(list);

// Progress of operations

const underWay = ["copying", "deleting", "stopping", "restoring", "forgetting", "dropping", "saving", "reverting"];

const isBar = (element) => element.matches(".work-bar");

/** Whether the page has the elements of the new phase: a stop button is not created here. */
function fits(element, now) {
  if (!underWay.includes(now.phase)) return false;
  return isBar(element) || Boolean(element.querySelector("[data-action=stop]")) === now.mayStop;
}

/** Active event sources; see `pauseWatching`. */
const watches = [];

/** Updates an element with events from the server. */
function watch(element) {
  const address = element.dataset.address ?? location.pathname;
  const file = document.title.slice(document.title.lastIndexOf(" · "));
  let source = null;

  function show(title, text) {
    element.querySelector("[data-title]").textContent = title;
    element.querySelector("[data-text]").textContent = text;
    if (!isBar(element)) document.title = title + file;
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

  /** Called when the connection ends: the operation is over, or the server does not respond. */
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

// A browser opens at most six connections to one server for all tabs. So hidden tabs close theirs, and a tab that requests
// something else frees its own.
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

// Content larger than its container

function showFade(place) {
  const rest = place.scrollWidth - place.clientWidth - place.scrollLeft;
  place.classList.toggle("further", rest > 2);
}

const watchedScrollers = new WeakSet();

function watchScroller(place) {
  if (watchedScrollers.has(place)) return;
  watchedScrollers.add(place);
  place.addEventListener("scroll", () => showFade(place), { passive: true });
  const second = place.querySelector("thead th:nth-child(2)");
  new ResizeObserver(() => {
    showFade(place);
    // The position of the third column, next to the first two.
    const first = second?.previousElementSibling;
    if (first) place.style.setProperty("--lead", `${first.offsetWidth + second.offsetWidth}px`);
  }).observe(place);
}

function watchScrollers() {
  for (const place of document.querySelectorAll(".scroll:not(.diagram)")) watchScroller(place);
}
watchScrollers();

/** Scrolls a large diagram to its first box, unless a box is visible at the beginning. */
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
  // Overflow can only be measured without the class that scales the diagram to fit.
  diagram.classList.remove("fit");
  const isLarger = diagram.scrollWidth > diagram.clientWidth || diagram.scrollHeight > diagram.clientHeight;
  diagram.classList.add("fit");
  if (!isLarger) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isFitted = diagram.classList.toggle("fit");
    button.setAttribute("aria-pressed", isFitted);
    if (!isFitted) showFirstBox(diagram);
  });
}

// Completion of input: a list below the field, with arrow keys

let comboCount = 0;

/** Turns a text field into a combobox. `find` returns options for its text: { text, detail, choose }. */
function makeCombobox(input, find) {
  const list = document.createElement("ul");
  const live = document.createElement("span");
  list.id = `options-${++comboCount}`;
  list.className = "options";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  live.className = "unseen";
  live.setAttribute("role", "status");
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);
  input.after(list, live);

  let options = [];
  let active = -1;
  let asked = 0;

  function close() {
    asked += 1;
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(place) {
    active = place;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", index === place));
    const item = list.children[place];
    if (!item) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  }

  function choose(place) {
    const option = options[place];
    close();
    option?.choose();
    input.focus();
  }

  function show(found) {
    options = found;
    list.replaceChildren(...found.map(({ text, detail }, place) => {
      const item = document.createElement("li");
      const name = document.createElement("bdi");
      item.id = `${list.id}-${place}`;
      item.setAttribute("role", "option");
      name.textContent = text;
      item.append(name);
      if (detail) {
        const more = document.createElement("small");
        more.textContent = detail;
        item.append(" ", more);
      }
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        choose(place);
      });
      return item;
    }));
    live.textContent = found.length === 1 ? "1 suggestion" : `${found.length} suggestions`;
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    mark(-1);
  }

  async function ask(isWanted) {
    const own = ++asked;
    const found = await find(isWanted);
    if (own === asked && document.activeElement === input) show(found);
  }

  input.addEventListener("input", () => ask(false));
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const isOpen = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) return void ask(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      mark((active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length);
    } else if (event.key === "Enter" && isOpen && active >= 0) {
      event.preventDefault();
      choose(active);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
}

/** Completes properties and operators of a filter. */
function completeFilter(input) {
  const { properties, textOperators, operators, words } = JSON.parse(input.dataset.completions);

  function put(start, end, text, caret = text.length) {
    input.setRangeText(text, start, end, "end");
    input.setSelectionRange(start + caret, start + caret);
  }

  makeCombobox(input, async (isWanted) => {
    const end = input.selectionStart;
    const before = input.value.slice(0, end);
    // No completions within a quoted text.
    if ((before.match(/'/g)?.length ?? 0) % 2 || (before.match(/"/g)?.length ?? 0) % 2) return [];
    const token = before.match(/[=<>!]+$|[\w.@[\]]*$/)[0];
    const start = end - token.length;
    const previous = before.slice(0, start).trimEnd().match(/(\S+)$/)?.[1] ?? "";
    const known = properties.find(({ name }) => name === previous);
    const starts = (text) => text.toLowerCase().startsWith(token.toLowerCase());
    if (known && /\s$/.test(before.slice(0, start))) {
      return [...(known.text ? textOperators : []), ...operators].filter(starts).map((text) => ({
        text,
        choose: () => known.text ? put(start, end, `${text} ''`, text.length + 2) : put(start, end, `${text} `),
      }));
    }
    const isValue = /^([=<>!]+|\w+\[c?d?\]|BETWEEN|IN|MATCHES)$/.test(previous);
    if (isValue || (!token && !isWanted)) return [];
    const isAfterValue = /['"\d)}]$/.test(before.slice(0, start).trimEnd()) && start > 0;
    const first = isAfterValue ? [] : properties.filter(({ name }) => starts(name));
    const inner = isAfterValue || !token
      ? [] : properties.filter(({ name }) => !starts(name) && name.toLowerCase().includes(token.toLowerCase()));
    const found = [...first, ...inner].slice(0, 12).map(({ name, type }) => ({
      text: name, detail: type, choose: () => put(start, end, `${name} `),
    }));
    const joining = words.filter((word) => token && starts(word) && word !== token)
      .map((text) => ({ text, choose: () => put(start, end, `${text} `) }));
    return [...found, ...joining];
  });
}

/** Completes destinations of a link. */
function completeRow(input) {
  makeCombobox(input, async () => {
    try {
      const answer = await fetch(`${input.dataset.suggestions}?text=${encodeURIComponent(input.value)}`);
      if (!answer.ok) return [];
      return (await answer.json()).rows.map(({ object, label }) => ({
        text: label ?? object,
        detail: label ? object : "",
        choose: () => { input.value = label ? `${label} (${object})` : object; },
      }));
    } catch {
      return [];
    }
  });
}

function complete(place) {
  for (const input of place.querySelectorAll("[data-completions]")) completeFilter(input);
  for (const input of place.querySelectorAll("[data-suggestions]")) completeRow(input);
}
complete(document);

// Editing

// Typing a value clears the nil checkbox.
document.addEventListener("input", (event) => {
  const box = document.querySelector(`[data-nil="${CSS.escape(event.target.id || "-")}"]`);
  if (box) box.checked = false;
});

/** Fetches the form of one property from its page. */
async function editForm(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = page.querySelector("form[data-edit]");
  if (!form) throw new Error("no form");
  return document.adoptNode(form);
}

const firstField = (form) => form.querySelector("textarea, select, input:not([type=hidden], [type=checkbox])");

let closeEditor = () => {};

/** Shows a form in place of the value. */
async function editInPlace(link) {
  const place = link.closest(".values > div, .link");
  const form = await editForm(link.href);
  closeEditor();
  const holder = document.createElement(place.matches(".link") ? "div" : "dd");
  holder.className = "editor";
  holder.append(form);
  place.classList.add("editing");
  place.append(holder);
  complete(form);
  closeEditor = () => {
    holder.remove();
    place.classList.remove("editing");
    closeEditor = () => {};
  };
  firstField(form)?.focus();
}

/** Shows a form over the cell of a listing. */
async function editCell(cell) {
  const row = cell.closest("tr").querySelector("th a[href]");
  const form = await editForm(`${row.getAttribute("href")}/edit?only=${encodeURIComponent(cell.dataset.label)}`);
  closeEditor();
  const dialog = document.createElement("dialog");
  dialog.className = "cell-edit";
  dialog.setAttribute("aria-label", `Edit ${cell.dataset.label}`);
  dialog.append(form);
  document.body.append(dialog);
  complete(form);
  closeEditor = () => {
    dialog.remove();
    closeEditor = () => {};
  };
  dialog.addEventListener("close", () => closeEditor());
  dialog.showModal();
  firstField(form)?.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-in-place]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    editInPlace(link).catch(() => { location.href = link.href; });
  }
  if (event.target.closest(".editing [data-cancel], dialog [data-cancel]")) {
    event.preventDefault();
    closeEditor();
  }
});

document.addEventListener("dblclick", (event) => {
  const cell = event.target.closest(".cards td[data-label]");
  if (!cell || event.target.closest("a") || !document.querySelector(".mode.writes")) return;
  // A cell that cannot be edited stays unchanged.
  editCell(cell).catch(() => {});
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest(".editing")) closeEditor();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("[data-submits], .edit textarea")) {
    event.target.form.requestSubmit();
  }
});

// Closes a menu when the user clicks outside it.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" ? event.target.closest("details.menu[open]") : null;
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
