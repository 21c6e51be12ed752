import { join } from 'node:path'
import { DiskObjects, type Objects } from '../papers/objects.ts'
import { S3Objects } from '../papers/s3-objects.ts'
import { bucketOf } from '../papers/photo-place.ts'
import type { Settings } from './settings.ts'

/** The place of encrypted photos: the folder or bucket of the setting, otherwise a folder beside the data. */
export function openObjects(settings: Pick<Settings, 'photos' | 'dataFolder'>): Objects {
  const place = photosPlaceOf(settings)
  const bucket = bucketOf(place)
  return bucket === undefined ? new DiskObjects(place) : new S3Objects(bucket)
}

export const photosPlaceOf = ({ photos, dataFolder }: Pick<Settings, 'photos' | 'dataFolder'>): string =>
  photos ?? join(dataFolder, 'photos')
