/** What the page of risks reads. */
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { againMs } from '../../parts/watching.tsx'
import type { Risk } from './wire.ts'

export const riskQuery = queryOptions({ queryKey: ['risk'], queryFn: () => read<Risk>('/risk'), refetchInterval: againMs })
