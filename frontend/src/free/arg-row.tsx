import type { FreeArg } from "../gen/api";
import { t } from "../i18n/table";
import { Phrase } from "../ui/phrase-view";
import { fieldProblem } from "../run/checks";
import { changeArg } from "../document/call";

const kinds = ["tensor", "int", "float", "bool", "constexpr"] as const;

/** What a tensor may hold, as torch names it. */
const dtypes = [
  "float32", "float16", "bfloat16", "float64", "int32", "int64", "int16", "int8", "uint8", "bool",
  "float8_e4m3fn", "float8_e5m2",
];
const fills = ["rand", "randn", "randint", "arange", "zeros", "ones", "nan"];

/** What an argument begins as when its kind is changed. */
const fresh: Record<string, Partial<FreeArg>> = {
  tensor: { dtype: "float32", shape: "128", fill: "rand" },
  int: { value: "128" },
  float: { value: "1.0" },
  bool: { value: "True" },
  constexpr: { value: "128" },
};

/** ArgRow is one argument: its name, its kind, and what that kind needs. */
export function ArgRow({ arg }: { arg: FreeArg }) {
  const words = t.value;
  const set = (part: Partial<FreeArg>) => changeArg({ ...arg, ...part });
  const named = (what: string) => `${arg.name}: ${what}`;
  return (
    <li class="arg">
      <code>{arg.name}</code>
      <Choice
        label={named(words.argKind)} value={arg.kind} options={kinds} show={(k) => words.kinds[k as keyof typeof words.kinds]}
        onChange={(kind) => changeArg({ name: arg.name, kind, ...fresh[kind] })}
      />
      {arg.kind === "tensor" ? (
        <>
          <Text label={named(words.argShape)} value={arg.shape ?? ""} field={arg.name} onChange={(shape) => set({ shape })} />
          <Choice label={named(words.argDType)} value={arg.dtype ?? ""} options={dtypes} onChange={(dtype) => set({ dtype })} />
          <Choice label={named(words.argFill)} value={arg.fill ?? ""} options={fills} onChange={(fill) => set({ fill })} />
        </>
      ) : (
        <Text label={named(words.argValue)} value={arg.value ?? ""} field={arg.name} onChange={(value) => set({ value })} />
      )}
      <FieldError field={arg.name} />
    </li>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly string[];
  show?: (option: string) => string;
  onChange: (value: string) => void;
}

function Choice({ label, value, options, show = (o) => o, onChange }: ChoiceProps) {
  return (
    <select aria-label={label} title={label} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
      {options.map((o) => <option key={o} value={o}>{show(o)}</option>)}
    </select>
  );
}

interface TextProps {
  label: string;
  value: string;
  field: string; // an argument's name, or "grid"
  onChange: (value: string) => void;
}

/** Text is a field of Python; what is wrong with it is said in its FieldError. */
export function Text({ label, value, field, onChange }: TextProps) {
  const wrong = fieldProblem.value?.field === field;
  return (
    <input
      type="text" aria-label={label} title={label} value={value} spellcheck={false} autocomplete="off" autocapitalize="off"
      aria-invalid={wrong} {...(wrong ? { "aria-describedby": `field-${field}` } : {})}
      onInput={(e) => onChange(e.currentTarget.value)}
    />
  );
}

/** FieldError says under a field what is wrong with it. */
export function FieldError({ field }: { field: string }) {
  const problem = fieldProblem.value;
  if (problem?.field !== field) return null;
  return <p class="field-error" id={`field-${field}`} role="status"><Phrase text={problem.text} /></p>;
}
