/** The formats of the chosen language, for components. */
import { decimalFormats, type Formats } from './formats.ts'
import { useSettings } from './settings.ts'
import { useLang } from './texts.ts'

export type { Formats } from './formats.ts'

/** The formats. Renders again when language or time zone change. */
export function useFormats(): Formats {
  const tag = useLang((state) => state.tag)
  const zone = useSettings((state) => state.timeZone)
  return decimalFormats(tag, zone)
}
