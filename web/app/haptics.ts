import { useSettings } from './settings.ts'

/** A short vibration, if the device supports it and the user wants it. */
export function tick(ms = 8): void {
  if (useSettings.getState().haptics && 'vibrate' in navigator) navigator.vibrate(ms)
}
