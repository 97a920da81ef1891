import DOMPurify from "dompurify";

/** policy leaves out what acts, styles, names or loads anything. */
const policy = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "option", "dialog", "audio", "video", "source", "track", "picture", "map", "area"],
  FORBID_ATTR: ["style", "id", "name", "srcset", "ping", "target", "tabindex", "accesskey", "background"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|picture:[0-9a-f]{16}$|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
  RETURN_DOM_FRAGMENT: true,
} as const;

/**
 * sanitize is a stranger's HTML as nodes that are safe to show. Pictures that a document names are put in by pictures;
 * lost stands for one that is not there.
 */
export function sanitize(html: string, pictures: ReadonlyMap<string, string>, lost: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, { ...policy, FORBID_TAGS: [...policy.FORBID_TAGS], FORBID_ATTR: [...policy.FORBID_ATTR] });
  for (const element of fragment.querySelectorAll("[class]")) {
    // The page's own classes are not a stranger's to use, but for formulas.
    const kept = [...element.classList].filter((c) => element.localName === "code" && (c === "math" || c === "display"));
    if (kept.length) element.className = kept.join(" ");
    else element.removeAttribute("class");
  }
  for (const link of fragment.querySelectorAll("a[href]")) {
    if (/^(?:#|$)/.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
    else for (const [name, value] of [["target", "_blank"], ["rel", "noopener noreferrer"]] as const) link.setAttribute(name, value);
  }
  for (const image of fragment.querySelectorAll("img")) show(image, pictures, lost);
  for (const box of fragment.querySelectorAll("table, pre")) box.setAttribute("tabindex", "0"); // they scroll
  return fragment;
}

/** show gives a picture its data, or puts words in its place: nothing is loaded from elsewhere. */
function show(image: HTMLImageElement, pictures: ReadonlyMap<string, string>, lost: string): void {
  const address = image.getAttribute("src") ?? "";
  const data = address.startsWith("picture:") ? pictures.get(address) : address;
  if (data?.startsWith("data:")) {
    image.setAttribute("src", data);
    if (!image.hasAttribute("alt")) image.setAttribute("alt", "");
    return;
  }
  const alt = image.getAttribute("alt") ?? "";
  const words = document.createElement("em");
  words.textContent = address.startsWith("picture:") ? [alt, lost].filter(Boolean).join(": ") : alt || address;
  image.replaceWith(words);
}
