import { setActiveEntity } from '../../auth';
import { publish } from '../operation';

publish(setActiveEntity, { summary: 'Focus the credential on an entity, or release the focus with null.' });
