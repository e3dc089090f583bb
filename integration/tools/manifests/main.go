// manifests builds kustomize folders and decodes each object of them strictly, as the API server does with
// fieldValidation=Strict: an unknown or repeated field, or a value of another type, is an error.
package main

import (
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func decoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme, rbacv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	options := json.SerializerOptions{Yaml: true, Strict: true}
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, options), nil
}

func check(strict runtime.Decoder, folder string) error {
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return err
	}
	for _, object := range objects.Resources() {
		text, err := object.AsYAML()
		if err != nil {
			return err
		}
		if _, _, err = strict.Decode(text, nil, nil); err != nil {
			return fmt.Errorf("%s: %w", object.CurId(), err)
		}
		fmt.Printf("---\n%s", text)
	}
	return nil
}

func main() {
	strict, err := decoder()
	for _, folder := range os.Args[1:] {
		if err == nil {
			err = check(strict, folder)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}
