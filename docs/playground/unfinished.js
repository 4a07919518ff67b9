// What the compiler was working on when its worker was ended, or the page with it: kept for the tab, so that a reload does not begin the same
// again by itself.

const KEY = "setpoint-unfinished";

export const begin = (text) => stored((store) => store.setItem(KEY, text));
export const end = () => stored((store) => store.removeItem(KEY));
export const is = (text) => stored((store) => store.getItem(KEY)) === text;

// Some browsers refuse the storage, or have no room: then nothing is remembered.
function stored(use) {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
