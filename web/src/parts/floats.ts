/** Where menus and tips are drawn: within the main part of the page, as nothing else stands outside of its landmarks. */
export const floats = document.createElement('div');
