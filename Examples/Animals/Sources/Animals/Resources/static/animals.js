// Optional scripting of the pages: swipe to delete, confirmation in a dialog, search while typing, arrow keys, and live
// updates. It uses the same pages and forms that work without scripts. Contents: 1 showing pages,
// 2 leaving, 3 forms and dialog, 4 search, 5 swipe and keys, 6 live updates, 7 start.

'use strict';

// 1 Showing pages

const regions = ['appbar', 'work', 'sidebar', 'list-head', 'search', 'list', 'detail'];
const region = (name, root = document) => root.querySelector(`[data-region="${name}"]`);

/** Fetches a page; the result has the document and its address after redirects. */
async function fetchPage(address, options = {}) {
    const response = await fetch(address, { ...options, headers: { Accept: 'text/html', ...options.headers } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return { ok: response.ok, status: response.status, address: response.url, page };
}

/** Replaces the regions of the shown page with those of a fetched one, keeping focus, scroll positions and typed text. */
function show(page) {
    const known = new Set([...document.querySelectorAll('.row')].map((row) => row.dataset.key));
    const openKeys = new Set([...document.querySelectorAll('.row.is-open')].map((row) => row.dataset.key));
    const sameList = page.body.dataset.list === document.body.dataset.list;
    const { work, summary } = said();
    const focus = focused();
    for (const name of regions) {
        const shown = region(name);
        const next = region(name, page);
        if (!shown || !next) continue;
        if (name === 'search') shown.action = next.action;
        if (shown.innerHTML === next.innerHTML) continue;
        if (name === 'search' && shown.contains(document.activeElement)) continue;
        if (name === 'detail' && keepsForm(shown, next)) continue;
        const top = scrollerOf(shown)?.scrollTop ?? 0;
        shown.replaceChildren(...next.childNodes);
        const scroller = scrollerOf(shown);
        if (scroller) scroller.scrollTop = name !== 'list' || sameList ? top : 0;
    }
    for (const key of Object.keys(page.body.dataset)) document.body.dataset[key] = page.body.dataset[key];
    document.querySelector('.skip').hash = document.body.dataset.depth;
    document.title = page.title;
    if (latestNumbers?.time > Number(document.body.dataset.time)) showNumbers(latestNumbers);
    if (sameList) markNewRows(known);
    for (const row of document.querySelectorAll('.row')) row.classList.toggle('is-open', openKeys.has(row.dataset.key));
    restoreFocus(focus);
    if (said().work !== work) announce(said().work);
    else if (document.activeElement?.id === 'search' && said().summary !== summary) announce(said().summary);
}

const scrollerOf = (part) => part.matches('.column-scroll') ? part : part.querySelector('.column-scroll');

/**
 * Whether a form is kept with the text typed into it. If the page has another form instead, as after the animal was
 * deleted, the text is copied to that form.
 */
function keepsForm(shown, next) {
    const form = shown.querySelector('[data-keep]');
    const other = next.querySelector('[data-keep]');
    if (!form || !other) return false;
    if (form.getAttribute('action') === other.getAttribute('action')) return true;
    const typed = new FormData(form);
    for (const field of other.querySelectorAll('input, select')) {
        const value = typed.get(field.name);
        if (value === null) continue;
        if (field.type === 'radio') field.checked = field.value === value;
        else if (!field.options || [...field.options].some((option) => option.value === value)) field.value = value;
    }
    return false;
}

function markNewRows(known) {
    for (const row of document.querySelectorAll('.row')) row.classList.toggle('is-new', !known.has(row.dataset.key));
}

/** Describes the focused element, so that it can be found on another page. */
function focused() {
    const element = document.activeElement;
    const caret = element?.matches('input[name=name]') ? element.selectionStart : null;
    return { key: element?.dataset?.focus, id: element?.id, caret };
}

function restoreFocus({ key, id, caret }) {
    const target = key ? document.querySelector(`[data-focus="${CSS.escape(key)}"]`) : id && document.getElementById(id);
    if (!target || document.activeElement === target) return;
    target.focus({ preventScroll: true });
    if (caret !== null) target.setSelectionRange(caret, caret);
}

/** Texts of a page to announce when they change: the title of a long task, and the number of listed animals. */
function said() {
    return {
        work: document.querySelector('.work-text strong')?.textContent ?? '',
        summary: document.querySelector('.summary')?.textContent ?? '',
    };
}

/** Announces a text to screen readers. */
function announce(text) {
    document.getElementById('announcement').textContent = text;
}

/** Shows a toast for a few seconds. */
function say(text, isProblem = false) {
    const toast = document.createElement('div');
    toast.className = isProblem ? 'toast is-problem' : 'toast';
    toast.textContent = text;
    showToast(toast);
}

function showToast(toast, until = null) {
    const toasts = document.querySelector('.toasts');
    toasts.append(toast);
    while (toasts.children.length > 3) toasts.firstElementChild.remove();
    letGo(toast, until);
}

/** Removes a toast after its time. One with a button stays longer, also on further pages, and while hovered or focused. */
function letGo(toast, until = null) {
    const usual = toast.matches('.has-action') ? 12_000 : toast.matches('.is-problem') ? 7_000 : 4_500;
    const stay = until ? until - Date.now() : usual;
    if (toast.matches('.has-action')) keepToast(toast, Date.now() + stay);
    setTimeout(function go() {
        if (toast.matches(':hover, :focus-within')) { setTimeout(go, 2_000); return; }
        toast.classList.add('is-going');
        setTimeout(() => toast.remove(), 400);
    }, stay);
}

const undoOf = (toast) => toast.querySelector('[name=id]')?.value;

/** Unexpired toasts with a button from earlier pages of this tab. */
function keptToasts() {
    try {
        return JSON.parse(sessionStorage.getItem('undo') ?? '[]').filter(({ until }) => until > Date.now());
    } catch {
        return [];
    }
}

function keepToast(toast, until) {
    const others = keptToasts().filter(({ id }) => id !== undoOf(toast));
    sessionStorage.setItem('undo', JSON.stringify([...others, { id: undoOf(toast), until, html: toast.outerHTML }].slice(-3)));
}

function forgetToast(toast) {
    sessionStorage.setItem('undo', JSON.stringify(keptToasts().filter(({ id }) => id !== undoOf(toast))));
    toast.remove();
}

function showKeptToasts() {
    const shown = new Set([...document.querySelectorAll('.toast')].map(undoOf));
    for (const { id, until, html } of keptToasts()) {
        const toast = new DOMParser().parseFromString(html, 'text/html').querySelector('.toast');
        if (toast && !shown.has(id)) showToast(toast, until);
    }
}

const noticeOf = (page) => page.querySelector('[data-notice]');
const problemOf = (page) => page.querySelector('[data-problem], [role="alert"]')?.textContent.trim();

// 2 Leaving: a window closes a model that is about to be deleted

/** Shows the list without a selection. */
function deselect() {
    const list = document.body.dataset.list || '/';
    history.replaceState(null, '', list);
    document.body.dataset.selected = '';
    document.body.dataset.depth = 'animals';
    for (const face of document.querySelectorAll('.row-face[aria-current]')) face.removeAttribute('aria-current');
    region('detail').replaceChildren(document.getElementById('nothing').content.cloneNode(true));
}

function showCategories() {
    history.replaceState(null, '', '/');
    Object.assign(document.body.dataset, { list: '/animals', shown: '', selected: '', depth: 'categories' });
    region('search').elements.q.value = '';
    region('detail').replaceChildren(document.getElementById('nothing').content.cloneNode(true));
}

const isShown = (key) => {
    const { selected, shown, home } = document.body.dataset;
    return key === '*' ? Boolean(shown || selected) : [selected, shown, home].includes(key);
};

/** Closes the page of the model with this key; `*` closes any model's page. */
function leave(key) {
    if (!isShown(key)) return;
    const { shown } = document.body.dataset;
    if (key === '*' ? shown : key === shown) showCategories(); else deselect();
}

/** Like `leave`, for a model that another window deletes: shows a message, and keeps text typed into a form. */
function leaveDeleted(key) {
    if (!isShown(key)) return;
    const name = document.querySelector(key === document.body.dataset.shown ? '.list-title' : '.hero h1')?.textContent;
    const form = typedForm();
    if (form) becomeNew(form); else leave(key);
    if (!form) say(key === '*' || !name ? 'What was shown here was deleted in another window.'
        : `“${name}” was deleted in another window.`);
}

const isChanged = (field) => field.type === 'radio' ? field.checked !== field.defaultChecked
    : field.options ? [...field.options].some((option) => option.selected !== option.defaultSelected)
        : field.value !== field.defaultValue;

/** The form with typed text, if there is one. */
function typedForm() {
    const form = document.querySelector('[data-once-deleted]');
    if (!form) return null;
    const isTyped = form.querySelector('#problem') || [...form.querySelectorAll('input, select')].some(isChanged);
    return isTyped ? form : null;
}

/** Replaces the form of a deleted model with one for a new model, with the same text. */
function becomeNew(form) {
    const address = new URL(form.dataset.onceDeleted, location);
    for (const [name, value] of new FormData(form)) address.searchParams.set(name, value);
    history.replaceState(null, '', address);
    Object.assign(document.body.dataset, { selected: '', home: '' });
    refresh();
}

// 3 Forms and dialog

/** Keys of models that this window deletes itself, whose messages it ignores. */
const ownDeletions = new Set();
/** Forms waiting for a response, so that pressing a button twice sends one request. */
const sent = new WeakSet();

/** Sends a form, then reloads the page of this window. */
async function send(form) {
    if (sent.has(form)) return;
    sent.add(form);
    const { leaving } = form.dataset;
    const isPage = form.closest('.confirmation-page') !== null;
    if (leaving) { ownDeletions.add(leaving); leave(leaving); }
    try {
        const answer = await fetchPage(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
        if (answer.ok && isPage) { location.replace(answer.address); return; }
        const notice = answer.ok && noticeOf(answer.page);
        if (notice) showToast(notice);
        if (!answer.ok) say(problemOf(answer.page) ?? 'This did not work.', true);
    } catch {
        say('Animals does not answer. Is it still running?', true);
    }
    sent.delete(form);
    await refresh();
}

async function openDialog(link) {
    const answer = await fetchPage(link.href).catch(() => null);
    const form = answer?.page.querySelector('.confirmation');
    if (!form) {
        say(answer ? problemOf(answer.page) ?? 'This is not possible.' : 'Animals does not answer.', true);
        if (answer) refresh();
        return;
    }
    const dialog = document.querySelector('.dialog');
    dialog.replaceChildren(form);
    dialog.showModal();
}

document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!form.matches('[data-leaving], [data-quiet]')) return;
    event.preventDefault();
    form.closest('dialog')?.close();
    const toast = form.closest('.toast');
    if (toast) forgetToast(toast);
    const row = form.closest('.row');
    if (row) removeRow(row);
    send(form);
});

document.addEventListener('click', (event) => {
    const cancel = event.target.closest('.dialog [data-cancel]');
    const opener = event.target.closest('a[data-dialog]');
    if (cancel || event.target.matches('dialog')) { event.preventDefault(); document.querySelector('.dialog').close(); }
    if (!opener || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (opener.getAttribute('aria-disabled') !== 'true') openDialog(opener);
});

/** Places the caret of a new form after the text to edit. */
function startTyping() {
    const field = document.querySelector('.sheet [autofocus]');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
}

// 4 Search

let searchTimer = 0;

/** Lists the matches of the search text, without changing the other columns. */
function search(form) {
    clearTimeout(searchTimer);
    const address = new URL(location.href);
    const text = form.elements.q.value.trim();
    address.searchParams.delete('page');
    if (text) address.searchParams.set('q', text); else address.searchParams.delete('q');
    if (address.href === location.href) return;
    history.replaceState(null, '', address);
    refresh();
}

document.addEventListener('input', (event) => {
    const form = event.target.closest('[data-search]');
    if (!form) return;
    clearTimeout(searchTimer);
    searchTimer = setTimeout(() => search(form), 200);
});
document.addEventListener('submit', (event) => {
    if (!event.target.matches('[data-search]')) return;
    event.preventDefault();
    search(event.target);
});

// 5 Swipe and keys

/** The width of an open row's button in pixels; must match the style sheet. */
const open = 88;
let swipe = null;
/** Suppresses the click at the end of a drag, whenever it comes. */
let ignoresClick = false;

function startSwipe(event) {
    ignoresClick = false;
    const face = event.target.closest?.('.row-face');
    if (!face || event.button !== 0) return;
    const row = face.parentElement;
    closeRows(row);
    swipe = { row, face, id: event.pointerId, x: event.clientX, y: event.clientY, offset: 0, moving: false };
    swipe.from = row.classList.contains('is-open') ? -open : 0;
}

function moveSwipe(event) {
    if (!swipe || event.pointerId !== swipe.id) return;
    const across = event.clientX - swipe.x;
    if (!swipe.moving) {
        if (Math.abs(across) < 8 || Math.abs(across) < Math.abs(event.clientY - swipe.y)) return;
        swipe.moving = true;
        swipe.row.classList.add('is-moving');
        swipe.face.setPointerCapture(swipe.id);
    }
    swipe.offset = Math.min(0, swipe.from + across);
    swipe.face.style.transform = `translateX(${swipe.offset}px)`;
    swipe.row.classList.toggle('is-far', isFar(swipe));
}

const isFar = ({ offset, row }) => -offset > Math.max(row.offsetWidth * 0.6, open + 40);

function endSwipe(event) {
    if (!swipe || event.pointerId !== swipe.id) return;
    const { row, face, offset, moving } = swipe;
    const far = isFar(swipe) && event.type === 'pointerup';
    swipe = null;
    if (!moving) return;
    ignoresClick = true;
    row.classList.remove('is-moving', 'is-far');
    face.style.transform = '';
    if (far) { row.querySelector('.row-delete').requestSubmit(); return; }
    row.classList.toggle('is-open', -offset > open / 2 && event.type === 'pointerup');
    if (!row.classList.contains('is-open')) settle(row);
    if (waiting) refresh();
}

/** Keeps the red background until the row's face has slid back over it. */
function settle(row) {
    row.classList.add('is-closing');
    setTimeout(() => row.classList.remove('is-closing'), 320);
}

function closeRows(except) {
    for (const row of document.querySelectorAll('.row.is-open')) {
        if (row === except) continue;
        row.classList.remove('is-open');
        settle(row);
    }
}

function removeRow(row) {
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    if (row.contains(document.activeElement)) neighbour?.querySelector('.row-face')?.focus({ preventScroll: true });
    row.classList.remove('is-open');
    row.classList.add('is-leaving');
    stillUntil = performance.now() + 280;
}

/** A tap on an open row closes it instead of following its link. */
function tapRow(event) {
    const row = event.target.closest('.row-face')?.parentElement;
    if (!row?.classList.contains('is-open')) return;
    event.preventDefault();
    row.classList.remove('is-open');
    settle(row);
}

document.addEventListener('pointerdown', (event) => { if (!event.target.closest?.('.row')) closeRows(); startSwipe(event); });
document.addEventListener('pointermove', moveSwipe);
document.addEventListener('pointerup', endSwipe);
document.addEventListener('pointercancel', endSwipe);
document.addEventListener('click', tapRow);
document.addEventListener('click', (event) => {
    // Enter on a row is a click without a press before it.
    if (!ignoresClick || event.detail === 0 || !event.target.closest('.row-face')) return;
    ignoresClick = false;
    event.preventDefault();
    event.stopPropagation();
}, { capture: true });
document.addEventListener('dragstart', (event) => { if (event.target.closest?.('.row-face')) event.preventDefault(); });

/** Moves the focus within its list, and between the search field and the first row. */
function moveFocus(event) {
    const from = event.target.closest?.('.row-face, .category, #search');
    if (!from || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const isSearch = from.id === 'search';
    if (isSearch && event.key !== 'ArrowDown') return;
    const items = [...document.querySelectorAll(from.matches('.category') ? '.category' : '.row:not(.is-leaving) .row-face')];
    const at = items.indexOf(from);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const target = to < 0 && from.matches('.row-face') ? document.getElementById('search') : items[to];
    target?.focus();
}

document.addEventListener('keydown', moveFocus);
document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeRows();
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    const face = event.target.closest?.('.row-face');
    if (face) { event.preventDefault(); face.parentElement.querySelector('.row-delete').requestSubmit(); }
});

// 6 Live updates

let refreshing = false;
let waiting = false;
/** Columns are not updated while a row slides out. */
let stillUntil = 0;

/** Updates every column, except for typed text and a row that is being swiped. */
async function refresh() {
    if (refreshing || swipe?.moving) { waiting = true; return; }
    const wait = stillUntil - performance.now();
    if (wait > 0) { setTimeout(refresh, wait); return; }
    refreshing = true;
    waiting = false;
    try {
        let asked = location.href;
        let answer = await fetchPage(asked);
        const form = answer.status === 404 && location.href === asked && typedForm();
        if (form) {
            becomeNew(form);
        } else if (answer.status === 404 && location.href === asked) {
            say(problemOf(answer.page) ?? 'What was shown here was deleted.');
            if (document.body.dataset.selected) deselect(); else showCategories();
            asked = location.href;
            answer = await fetchPage(asked);
            if (!answer.ok) { showCategories(); asked = location.href; answer = await fetchPage('/'); }
        }
        // If the window has navigated meanwhile, fetches the page again.
        if (location.href !== asked) waiting = true;
        else if (answer.ok && !swipe?.moving) {
            if (answer.address !== location.href) history.replaceState(null, '', answer.address);
            show(answer.page);
        }
    } catch {
        // The app is not running; its first message after a restart updates the page.
    }
    refreshing = false;
    if (waiting && !swipe?.moving) refresh();
}

/** The newest numbers received in a message; an older page must not replace them. */
let latestNumbers = null;

/** Updates the progress bar of a long task together with all numbers of animals. Other content is updated with the page. */
function showNumbers(numbers) {
    latestNumbers = numbers;
    const { id, phase, done, total, text, counts } = numbers;
    const bar = document.querySelector(`[data-work="${CSS.escape(id)}"]`);
    const meter = bar?.querySelector('progress');
    if (meter && phase !== 'restoring') {
        meter.max = total;
        meter.value = done;
        bar.querySelector('[data-work-text]').textContent = text;
    }
    for (const place of document.querySelectorAll('[data-count]')) {
        const count = counts[place.dataset.count] ?? '0';
        place.textContent = place.matches('.summary') ? `${count} ${count === '1' ? 'animal' : 'animals'}` : count;
    }
}

function receive({ type, data }) {
    if (type === 'progress') showNumbers(JSON.parse(data));
    if (type === 'revision' && data !== document.body.dataset.revision) refresh();
    if (type === 'leaving' && !ownDeletions.delete(data)) leaveDeleted(data);
}

/** Listens for events. One window listens for all, as a browser opens only a few connections to one server. */
function listen(tell) {
    const source = new EventSource('/events');
    for (const type of ['revision', 'leaving', 'progress']) {
        source.addEventListener(type, (event) => tell({ type, data: event.data }));
    }
}

function followChanges() {
    if (!navigator.locks || !window.BroadcastChannel) { listen(receive); return; }
    const windows = new BroadcastChannel('animals');
    let latest = null;
    windows.onmessage = ({ data }) => {
        if (data.type !== 'ask') receive(data);
        else if (latest) windows.postMessage(latest);
    };
    windows.postMessage({ type: 'ask' });
    addEventListener('pageshow', (event) => { if (event.persisted) windows.postMessage({ type: 'ask' }); });
    navigator.locks.request('animals-events', () => new Promise(() => {
        listen((message) => {
            if (message.type === 'revision') latest = message;
            windows.postMessage(message);
            receive(message);
        });
    }));
}

// 7 Start

startTyping();
for (const toast of document.querySelectorAll('.toast')) letGo(toast);
showKeptToasts();
const here = new URL(location.href);
if (here.searchParams.has('notice')) {
    here.searchParams.delete('notice');
    history.replaceState(null, '', here);
}
followChanges();
