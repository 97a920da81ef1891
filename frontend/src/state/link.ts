/** Link is a link in an address: whole, or by the id of a short one. */
export type Link = { payload: string } | { id: string };

/** documentView is the view of a link that carries a document. Pages that know no documents open it on the free page. */
const documentView = "document";

/** documentLink is the view of a link to a document that opens with one of the page's views; memory is what it opens with by itself. */
export function documentLink(view: string): string {
  return view === "memory" ? documentView : `${documentView}/${view}`;
}

/** documentViewOf is the view that a link to a document opens with; undefined for other links. */
export function documentViewOf(view: string): string | undefined {
  const [page, shown = "memory"] = view.split("/");
  return page === documentView ? shown : undefined;
}

/** maxPayload is a little more than any payload may have, so that what is cut is still too large. */
const maxPayload = (768 << 10) + 1;

/** parseLink reads a link from location.hash; undefined where there is none. */
export function parseLink(hash: string): Link | undefined {
  if (hash.startsWith("#l=")) return { payload: hash.slice(3, 3 + maxPayload) };
  return hash.startsWith("#s=") ? { id: hash.slice(3) } : undefined;
}

/** isID tells whether a short link can have this id at all. */
export function isID(id: string): boolean {
  return /^[\w-]{1,64}$/.test(id);
}

/** wholeLink is the address of a payload on the page at base. */
export function wholeLink(base: string, payload: string): string {
  return `${base.replace(/#.*$/s, "")}#l=${payload}`;
}
