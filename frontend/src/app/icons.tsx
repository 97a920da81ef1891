/** Icons are strokes on a grid of 16; newt is the logo, on a grid of 32. */
const strokes = {
  left: "M10 3.500 5.500 8l4.500 4.500",
  right: "M6 3.500 10.500 8 6 12.500",
  down: "M4 6.500 8 10.500l4-4",
  help: "M6 6.200a2.100 2.100 0 1 1 3 2c-.7.4-1 .8-1 1.600M8 12v.1M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13z",
  light: "M8 5.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600zM8 1.200v1.500M8 13.300v1.500M1.200 8h1.500M13.300 8h1.500M3.200 3.200l1 1M11.800 11.800l1 1M3.200 12.800l1-1M11.800 4.200l1-1",
  dark: "M13.500 9.600A5.800 5.800 0 0 1 6.400 2.500a5.800 5.800 0 1 0 7.100 7.100z",
  auto: "M8 1.800a6.200 6.200 0 1 1 0 12.400A6.200 6.200 0 0 1 8 1.800zM8 2v12M8 5h4.500M8 8h6M8 11h4.500",
  book: "M8 4.200C6.800 3.200 5 2.800 2.500 2.800v9.400c2.500 0 4.300.4 5.500 1.400 1.200-1 3-1.400 5.500-1.400V2.800c-2.500 0-4.300.4-5.500 1.400zM8 4.200v9.400",
  share: "M6.800 4.200 8.500 2.500a2.900 2.900 0 0 1 4.100 4.100L10.300 8.900a2.900 2.900 0 0 1-4.100 0M9.200 11.800 7.500 13.500a2.900 2.900 0 0 1-4.100-4.100l2.300-2.300a2.900 2.900 0 0 1 4.100 0",
  copy: "M5.500 5.500h7.500v8h-7.500zM10.500 5.500v-3h-7.500v8h2.500",
  close: "M4 4l8 8M12 4l-8 8",
  own: "M3 2.500h6.500l3.500 3.500v7.500h-10zM9.500 2.500v3.500h3.500M8 7.500v4M6 9.500h4",
  check: "M3 8.500 6.500 12 13 4.500",
  cross: "M4 4l8 8M12 4l-8 8",
  play: "M5 3.200 12.500 8 5 12.800z",
  square: "M4.500 4.500h7v7h-7z",
} as const;

export type IconName = keyof typeof strokes | "newt";

export function Icon({ name }: { name: IconName }) {
  if (name === "newt") return <Newt />;
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}

function Newt() {
  return (
    <svg class="icon-newt" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path class="body" d="M9 6.500c5.500-2 9 .5 8 4.500-.8 3.300-5.500 4.800-5 8.500.5 4.500 8 5.500 14 6.500" />
      <path class="legs" d="M17 10.500l5-1.500M10.500 11l-5 1.800M12.500 17l-5 2M14.500 22.500l-3.500 4M13.500 17.500l5-1" />
      <circle class="head" cx="8.600" cy="6.800" r="3.400" />
      <circle class="eye" cx="8" cy="6" r="1" />
    </svg>
  );
}
