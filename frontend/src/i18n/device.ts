import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { deviceEn } from "./device-en";
import { deviceZh } from "./device-zh";
import type { Texts } from "./table";

/** DeviceTable holds the texts of the parts of the page that load on first use, in one language. */
export type DeviceTable = Texts<typeof deviceEn>;

/** d is the device table of the current language. */
export const d = computed<DeviceTable>(() => (lang.value === "zh" ? deviceZh : deviceEn));
