// `/` goes to the search box of a page, unless somebody is typing.

export function listenForSearchKey() {
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    const box = document.querySelector('main input[type=search]') ?? document.querySelector('input[type=search]');
    const isOther = event.isComposing || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || isTyping || isOther || !box) return;
    event.preventDefault();
    box.focus();
  });
}
