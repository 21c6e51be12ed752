/** Query of the health page. */
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { againMs } from '../../parts/watching.tsx'
import type { Health } from './wire.ts'

export const healthQuery = queryOptions({ queryKey: ['health'], queryFn: () => read<Health>('/health'), refetchInterval: againMs })
