// Reads a registry's transparency log with the Go libraries, and checks every leaf of it.
//
// read_log URL VKEY [POLICY]: prints the size, then the leaves, each with its line feed. The
// checkpoint has to satisfy the policy.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	policy := ""
	if len(os.Args) > 3 {
		policy = os.Args[3]
	}
	if err := run(os.Args[1], os.Args[2], policy); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url, vkey, policy string) error {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	response, err := http.Get(url + "/checkpoint")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	signed, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	if err != nil {
		return err
	}
	if checkpoint.Origin != verifier.Name() {
		return fmt.Errorf("the origin is %q, not %q", checkpoint.Origin, verifier.Name())
	}
	if policy != "" {
		if err := check(policy, signed); err != nil {
			return err
		}
	}
	tiles, err := torchwood.NewTileFetcher(url)
	if err != nil {
		return err
	}
	client, err := torchwood.NewClient(tiles)
	if err != nil {
		return err
	}
	fmt.Println(checkpoint.N)
	// The client compares each leaf with the tree before it gives it away. It stops before the
	// last bundle, if that is partial, and goes on when it is asked again.
	for next := int64(0); next < checkpoint.N; {
		for index, leaf := range client.Entries(context.Background(), checkpoint.Tree, next) {
			fmt.Print(string(leaf))
			next = index + 1
		}
		if err := client.Err(); err != nil {
			return err
		}
	}
	hashes := torchwood.TileHashReaderWithContext(context.Background(), checkpoint.Tree, tiles)
	for index := int64(0); index < checkpoint.N; index += 97 {
		if _, err := tlog.ProveRecord(checkpoint.N, index, hashes); err != nil {
			return err
		}
	}
	return nil
}

// check checks that a signed checkpoint satisfies the policy in a file.
func check(file string, signed []byte) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	policy, err := torchwood.ParsePolicy(text)
	if err != nil {
		return err
	}
	opened, err := note.Open(signed, policy)
	if err != nil {
		return err
	}
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	if err != nil {
		return err
	}
	return policy.Check(checkpoint.Origin, opened.Sigs)
}
