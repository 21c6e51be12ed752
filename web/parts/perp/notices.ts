/** What happens to positions without a tap of the person: said once, wherever they are in the app. */
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'

export async function notice(_update: UserUpdate): Promise<void> {}
