// What the pages do beyond links and forms: swipe to delete, confirm in a dialog, and live updates. Everything here uses
// the same pages and forms that work without it. Contents: 1 showing pages, 2 leaving, 3 forms and dialog, 4 swipe,
// 5 live updates, 6 start.

'use strict';

// 1 Showing pages

const regions = ['appbar', 'work', 'sidebar', 'list', 'detail'];
const region = (name, root = document) => root.querySelector(`[data-region="${name}"]`);

/** Fetches a page; the answer holds the document and where it was found in the end. */
async function fetchPage(address, options = {}) {
    const response = await fetch(address, { ...options, headers: { Accept: 'text/html', ...options.headers } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return { ok: response.ok, status: response.status, address: response.url, page };
}

/** Puts a fetched page in place of the shown one, column by column, keeping focus, scroll positions and typed text. */
function show(page) {
    const known = new Set([...document.querySelectorAll('.row')].map((row) => row.dataset.key));
    const openKeys = new Set([...document.querySelectorAll('.row.is-open')].map((row) => row.dataset.key));
    const sameList = page.body.dataset.list === document.body.dataset.list;
    const focus = document.activeElement?.dataset?.focus;
    const focusID = document.activeElement?.id;
    for (const name of regions) {
        const shown = region(name);
        const next = region(name, page);
        if (!shown || !next || shown.innerHTML === next.innerHTML) continue;
        if (name === 'detail' && shown.querySelector('[data-keep]') && next.querySelector('[data-keep]')) continue;
        const top = shown.querySelector('.column-scroll')?.scrollTop ?? 0;
        shown.replaceChildren(...next.childNodes);
        const scroller = shown.querySelector('.column-scroll');
        if (scroller && (name !== 'list' || sameList)) scroller.scrollTop = top;
    }
    for (const key of Object.keys(page.body.dataset)) document.body.dataset[key] = page.body.dataset[key];
    document.title = page.title;
    if (sameList) markNewRows(known);
    for (const row of document.querySelectorAll('.row')) row.classList.toggle('is-open', openKeys.has(row.dataset.key));
    restoreFocus(focus, focusID);
}

function markNewRows(known) {
    for (const row of document.querySelectorAll('.row')) row.classList.toggle('is-new', !known.has(row.dataset.key));
}

function restoreFocus(focus, id) {
    const target = focus
        ? document.querySelector(`[data-focus="${CSS.escape(focus)}"]`)
        : id && document.getElementById(id);
    if (target && document.activeElement !== target) target.focus({ preventScroll: true });
}

/** Says something for a few seconds. */
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

/** A toast with a button stays longer, over changes of page too, and while it is pointed at or has the focus. */
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

/** The toasts with a button that this tab showed on earlier pages, as long as their time is not over. */
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

// 2 Leaving: a window lets go of what is about to be deleted

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
    region('detail').replaceChildren(document.getElementById('nothing').content.cloneNode(true));
}

/** Lets go of a model by its key, or of everything by `*`; says whether this window showed it. */
function leave(key) {
    const { selected, shown, home } = document.body.dataset;
    if (key === '*' ? shown : key === shown) { showCategories(); return true; }
    if (selected && (key === '*' || key === selected || key === home)) { deselect(); return true; }
    return false;
}

// 3 Forms and dialog

/** Models this window deletes itself: no need to tell it. */
const ownDeletions = new Set();

/** Sends a form, then shows the page this window is on as it is now. */
async function send(form) {
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

// 4 Swipe

/** How far an open row shows its button, in pixels; the style sheet has the same number. */
const open = 88;
let swipe = null;
/** The end of a drag is no click on the row. */
let ignoreClicksUntil = 0;

function startSwipe(event) {
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
    ignoreClicksUntil = performance.now() + 80;
    row.classList.remove('is-moving', 'is-far');
    face.style.transform = '';
    if (far) { row.querySelector('.row-delete').requestSubmit(); return; }
    row.classList.toggle('is-open', -offset > open / 2 && event.type === 'pointerup');
    if (!row.classList.contains('is-open')) settle(row);
    if (waiting) refresh();
}

/** The red ground stays until the face has slid back over it. */
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
    if (performance.now() > ignoreClicksUntil || !event.target.closest('.row-face')) return;
    event.preventDefault();
    event.stopPropagation();
}, { capture: true });
document.addEventListener('dragstart', (event) => { if (event.target.closest?.('.row-face')) event.preventDefault(); });
document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeRows();
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    const face = event.target.closest?.('.row-face');
    if (face) { event.preventDefault(); face.parentElement.querySelector('.row-delete').requestSubmit(); }
});

// 5 Live updates

let refreshing = false;
let waiting = false;
/** Columns stay as they are while a row slides out. */
let stillUntil = 0;

/** Brings every column up to date; typed text and a row under the finger stay as they are. */
async function refresh() {
    if (refreshing || swipe?.moving) { waiting = true; return; }
    const wait = stillUntil - performance.now();
    if (wait > 0) { setTimeout(refresh, wait); return; }
    refreshing = true;
    waiting = false;
    try {
        let answer = await fetchPage(location.href);
        if (answer.status === 404) {
            say(problemOf(answer.page) ?? 'What was shown here is gone.');
            if (document.body.dataset.selected) deselect(); else showCategories();
            answer = await fetchPage(location.href);
            if (!answer.ok) { showCategories(); answer = await fetchPage('/'); }
        }
        if (answer.ok && !swipe?.moving) {
            if (answer.address !== location.href) history.replaceState(null, '', answer.address);
            show(answer.page);
        }
    } catch {
        // The app is not running; its next message after it is back brings the page up to date.
    }
    refreshing = false;
    if (waiting && !swipe?.moving) refresh();
}

/** Moves the bar of a long task. What else changes with its phase comes with the page. */
function showProgress({ id, phase, done, total, text }) {
    const bar = document.querySelector(`[data-work="${CSS.escape(id)}"][data-phase="${CSS.escape(phase)}"]`);
    const meter = bar?.querySelector('progress');
    if (!meter || phase === 'restoring') return;
    meter.max = total;
    meter.value = done;
    bar.querySelector('[data-work-text]').textContent = text;
}

function receive({ type, data }) {
    if (type === 'progress') showProgress(JSON.parse(data));
    if (type === 'revision' && data !== document.body.dataset.revision) refresh();
    if (type === 'leaving' && !ownDeletions.delete(data) && leave(data)) say('Deleted in another window.');
}

/** One window of the browser listens for all of them: a browser allows only a few connections to one address. */
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

// 6 Start

for (const toast of document.querySelectorAll('.toast')) letGo(toast);
showKeptToasts();
const here = new URL(location.href);
if (here.searchParams.has('notice')) {
    here.searchParams.delete('notice');
    here.searchParams.delete('undo');
    history.replaceState(null, '', here);
}
followChanges();
