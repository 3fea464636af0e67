// What scripts of pages take for granted of the elements that their selectors find, and
// what other scripts of a page bring along.
declare const Reveal: any;
declare const ALIKE: string[][]; // alike.json
declare const ASK: any; // ask.json

interface EventTarget {
  closest(selectors: string): HTMLElement | null;
  matches(selectors: string): boolean;
}
interface Node {
  data: string;
  length: number;
  replaceData(offset: number, count: number, data: string): void;
}
interface Element {
  content: any;
  dataset: any;
  disabled: boolean;
  href: string;
  update: any;
  hash: string;
  focus(options?: FocusOptions): void;
}
interface HTMLElement {
  value: string;
  select(): void;
}
interface Event {
  submitter: HTMLElement | null;
  skipped: boolean;
}
