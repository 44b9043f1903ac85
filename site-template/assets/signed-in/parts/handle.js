// Who signed in with this browser. The note is no secret: it spares anonymous readers every request, and the server
// asks for the cookie of the session, which no script can read.

const NOTE = 'skillmirror-handle';

/** Names of namespaces and handles of people. */
export const NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** The handle of the last person who signed in here and has not signed out, or undefined. */
export function rememberedHandle() {
  try {
    const handle = localStorage.getItem(NOTE) ?? '';
    return NAME.test(handle) ? handle : undefined;
  } catch {
    return undefined; // Some browsers refuse storage.
  }
}

/** Notes who is signed in; without a handle, nobody. */
export function remember(handle) {
  try {
    if (handle) localStorage.setItem(NOTE, handle);
    else localStorage.removeItem(NOTE);
  } catch {
    // Pages then ask the server.
  }
  showHandle();
}

/** Shows in the header who is signed in. */
export function showHandle() {
  const link = document.querySelector('[data-account]');
  const handle = rememberedHandle();
  if (!link) return;
  const { root } = document.documentElement.dataset;
  link.textContent = handle ?? 'Sign in';
  link.href = handle ? `${root}me/` : `${root}login/`;
  if (handle) link.setAttribute('aria-label', `Your account, ${handle}`);
  else link.removeAttribute('aria-label');
}
