import { call } from '../calls';
import { Empty } from '../empty';
import { operation } from '../operation';
import * as boundaries from './boundaries';
import * as categories from './categories';
import * as types from './document-types';
import * as features from './features';

const administered = { owner: 'ingestion', profile: 'ADMINISTRADOR', screens: ['DOC_FEATURE_CATEGORIES'] } as const;
const ofBothScreens = { ...administered, screens: ['DOC_FEATURE_CATEGORIES', 'GROUP_DOCUMENT_TYPES'] } as const;
const previews = { owner: 'ingestion', scope: 'user', effect: 'read', callers: ['operations'] } as const;

export const listDocumentTypes = operation({
  ...administered,
  code: 'document_types.list',
  kind: 'read',
  summary: 'List the document types that the caller administers.',
  input: types.DocumentTypeListRequest,
  output: types.DocumentTypeList,
});
/** @throws NotFound for a type that the group does not have. */
export const assertDocumentTypeExists = call({
  ...previews,
  reach: 'group',
  code: 'document_types.assert_exists',
  input: types.DocumentTypeReference,
  output: Empty,
});
/** @throws TaxonomyConflict for a code that is taken; TaxonomyRefused for a parent of another entity or a deep tree. */
export const createDocumentType = operation({
  ...ofBothScreens,
  code: 'document_types.create',
  kind: 'write',
  summary: 'Create a document type of the group or of one entity, at the top or below another type.',
  input: types.NewDocumentType,
  output: types.DocumentTypeItem,
});
/** @throws TaxonomyRefused for a parent that makes a cycle. */
export const updateDocumentType = operation({
  ...ofBothScreens,
  code: 'document_types.update',
  kind: 'write',
  summary: 'Rename, describe or move a document type; after a move documents are classified again.',
  input: types.DocumentTypeUpdate,
  output: types.DocumentTypeItem,
});
/** Counts what a deletion would delete and reclassify, by its own query. */
export const previewDocumentTypeDeletion = call({
  ...previews,
  code: 'document_types.preview_delete',
  input: types.DocumentTypeReference,
  output: types.DocumentTypeEffect,
});
/** @throws TaxonomyConflict with the number of types below it. */
export const deleteDocumentType = operation({
  ...ofBothScreens,
  code: 'document_types.delete',
  kind: 'write_confirm',
  summary: 'Delete a document type with its categories; one with types below it stays.',
  preview: previewDocumentTypeDeletion,
  input: types.DocumentTypeReference,
  output: types.DocumentTypeDeleted,
});

export const getBoundary = operation({
  ...administered,
  code: 'document_types.get_boundary',
  kind: 'read',
  summary: 'Show which documents belong to a document type.',
  input: types.DocumentTypeReference,
  output: boundaries.BoundaryRecord,
});
/** @throws PatternRefused for a pattern that RE2 cannot express, NotFound for an example that the caller does not see. */
export const setBoundary = operation({
  ...administered,
  code: 'document_types.set_boundary',
  kind: 'write',
  summary: 'Set which documents belong to a document type; documents are classified again.',
  input: boundaries.BoundaryUpdate,
  output: boundaries.BoundaryRecord,
});

export const listFeatureCategories = operation({
  ...administered,
  code: 'document_types.list_categories',
  kind: 'read',
  summary: 'List the categories of features of a document type and of the types above it.',
  input: categories.FeatureCategoryListRequest,
  output: categories.FeatureCategoryList,
});
export const addFeatureCategory = operation({
  ...administered,
  code: 'document_types.add_category',
  kind: 'write',
  summary: 'Add a category of features to a document type and to the types below it.',
  input: categories.NewFeatureCategory,
  output: categories.FeatureCategoryItem,
});
export const updateFeatureCategory = operation({
  ...administered,
  code: 'document_types.update_category',
  kind: 'write',
  summary: 'Rename or describe a category of features, or change the kind of its values.',
  input: categories.FeatureCategoryUpdate,
  output: categories.FeatureCategoryItem,
});
/** Counts what a removal would remove, by its own query. */
export const previewCategoryRemoval = call({
  ...previews,
  code: 'document_types.preview_remove_category',
  input: categories.FeatureCategoryReference,
  output: categories.FeatureCategoryEffect,
});
export const removeFeatureCategory = operation({
  ...administered,
  code: 'document_types.remove_category',
  kind: 'write_confirm',
  summary: 'Remove a category of features with its features, from its documents too.',
  preview: previewCategoryRemoval,
  input: categories.FeatureCategoryReference,
  output: categories.FeatureCategoryRemoved,
});
export const generateCategoryPage = operation({
  ...administered,
  code: 'feature_categories.generate_md',
  kind: 'write',
  summary: 'Compile and store the page of a category of features: its features, their rules, their documents.',
  input: categories.FeatureCategoryReference,
  output: categories.FeatureCategoryPage,
});

export const listFeatures = operation({
  ...administered,
  code: 'document_types.list_features',
  kind: 'read',
  summary: 'List the features of a category and how they are found.',
  input: categories.FeatureCategoryReference,
  output: features.FeatureList,
});
/** @throws PatternRefused for a pattern that RE2 cannot express or that names no value. */
export const addFeature = operation({
  ...administered,
  code: 'document_types.add_feature',
  kind: 'write',
  summary: 'Add a feature to a category; the documents of its types are looked through again.',
  input: features.NewFeature,
  output: features.FeatureItem,
});
export const updateFeature = operation({
  ...administered,
  code: 'document_types.update_feature',
  kind: 'write',
  summary: 'Rename a feature or change how it is found.',
  input: features.FeatureUpdate,
  output: features.FeatureItem,
});
/** Counts what a removal would remove, by its own query. */
export const previewFeatureRemoval = call({
  ...previews,
  code: 'document_types.preview_remove_feature',
  input: features.FeatureReference,
  output: features.FeatureEffect,
});
export const removeFeature = operation({
  ...administered,
  code: 'document_types.remove_feature',
  kind: 'write_confirm',
  summary: 'Remove a feature from its category, and from its documents.',
  preview: previewFeatureRemoval,
  input: features.FeatureReference,
  output: features.FeatureRemoved,
});
