/** Prints the month, or the amounts alone. Without this script the browser prints what the address says. */
const SHEET = 'amounts-only';

const print = (isSheet: boolean): void => {
  document.body.classList.toggle(SHEET, isSheet);
  window.print();
};

document.querySelector('#print-month')?.addEventListener('click', () => print(false));
document.querySelector('#print-amounts')?.addEventListener('click', (event) => {
  event.preventDefault();
  print(true);
});

export {};
