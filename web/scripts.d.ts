// What the check of the scripts (scripts/lint) knows beyond the browser's own types. Which elements a page holds, and
// what an event carries, is checked by the browser tests: what is looked up has whatever the script asks for.
interface ParentNode {
	querySelector(selectors: string): any;
	querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
	closest(selectors: string): any;
	readonly isContentEditable: boolean;
	readonly selectionStart: number;
	readonly selectionEnd: number;
}
interface EventTarget {
	closest?(selectors: string): any;
	matches?(selectors: string): boolean;
	dataset?: any;
	checked?: any;
	action?: any;
}
interface Event {
	readonly detail?: any;
}
/** htmx, which comes before the scripts of the console. */
declare const htmx: { ajax(verb: string, path: string, context: { source: Element }): Promise<void> };
interface PerformanceEntry {
	readonly type?: string;
}
interface NonElementParentNode {
	getElementById(id: string): any;
}
interface Document {
	getElementById(id: string): any;
}
