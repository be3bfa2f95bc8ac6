import type { Asked, Reply } from './unstructured-server';
import { bylaws, minutes, silent } from './text-source-behaviour';

/** What the open-source library answers for the files of the behaviour suite, as recorded. */
const meta = (more: object): object => ({ languages: ['eng'], filetype: 'application/octet-stream', ...more });

const BYLAWS = [
  { type: 'Title', element_id: 'a1', text: 'Cuotas de riego', metadata: meta({ category_depth: 0, page_number: 1 }) },
  {
    type: 'NarrativeText',
    element_id: 'a2',
    text: 'La cuota se paga cada año antes de la primera tanda, y quien no la paga no riega.',
    metadata: meta({ parent_id: 'a1', page_number: 1 }),
  },
  {
    type: 'Table',
    element_id: 'a3',
    text: 'Cultivo Cuota Olivo doce Almendro nueve',
    metadata: meta({
      page_number: 1,
      text_as_html:
        '<table><tr><td>Cultivo</td><td>Cuota</td></tr><tr><td>Olivo</td><td>doce</td></tr><tr><td>Almendro</td><td>nueve</td></tr></table>',
    }),
  },
];

const MINUTES = [
  {
    type: 'NarrativeText',
    element_id: 'b1',
    text: 'The board met on the first floor and approved the accounts of the year.',
    metadata: meta({ page_number: 1 }),
  },
  {
    type: 'NarrativeText',
    element_id: 'b2',
    text: 'The second meeting elected a new treasurer by a large majority of votes.',
    metadata: meta({ page_number: 2 }),
  },
];

const recordings: readonly (readonly [Buffer, readonly object[]])[] = [
  [bylaws, BYLAWS],
  [minutes, MINUTES],
  [silent, []],
];

/** Answers for the files of the suite; every other file is damaged. */
export const recorded = ({ bytes }: Asked): Reply => {
  const found = recordings.find(([file]) => file.equals(bytes));
  return found === undefined ? { status: 422, body: { detail: 'BadZipFile: not a zip file' } } : { body: found[1] };
};
