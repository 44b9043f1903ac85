// Reads a registry's transparency log with the Go libraries, and checks every leaf of it.
//
// read_log URL VKEY: prints the size, then the leaves, each with its line feed.
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
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url, vkey string) error {
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
