/** The screen of a new browser on this machine, in pixels: with its toolbars it fits on the displays of most laptops. */
export const LOCAL_VIEWPORT = { width: 1280, height: 720 };
