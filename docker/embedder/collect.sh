#!/bin/sh
# collect.sh TARGET: copies what the server of the embedder loads out of a built checkout, with the binaries of this
# platform alone.
set -eu
modules="$1/node_modules"
mkdir -p "$modules/@acervo/models" "$modules/@acervo/platform-resilience"
cp -r libs/models/package.json libs/models/dist "$modules/@acervo/models/"
cp -r libs/platform/resilience/package.json libs/platform/resilience/dist "$modules/@acervo/platform-resilience/"
cp -r node_modules/onnxruntime-node node_modules/onnxruntime-common "$modules/"
binaries="$modules/onnxruntime-node/bin/napi-v6"
platform=$(node -p 'process.platform + "/" + process.arch')
mv "$binaries/$platform" "$1/kept"
rm -rf "$binaries"
mkdir -p "$binaries/${platform%/*}"
mv "$1/kept" "$binaries/$platform"
