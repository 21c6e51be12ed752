/** The answer to an order that was too much for an unverified user's day: why, and the way to the identity check. */
import { navigate } from '../../app/location.ts'
import { loadArea } from '../../app/texts.ts'
import type { Translate } from '../../app/translate.ts'
import { toast } from '../ui/toast.tsx'

/** Shows it as a toast. Its texts belong to areas that load later. */
export async function toastVerify(t: Translate): Promise<void> {
  await Promise.all([loadArea('refusals'), loadArea('certify')]).catch(() => undefined)
  const action = { text: t('certify.certify'), run: () => navigate('/kyc') }
  toast({ text: t('refusals.TURNOVER_LIMIT'), tone: 'bad', stays: true, action })
}
