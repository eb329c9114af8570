namespace Transfer.S3.Cli.Options;

/// <summary>Translates the library's names of settings to the tool's options.</summary>
internal static class OptionNames
{
    private static readonly (string Library, string Tool)[] Names =
    [
        .. new WriteOptions().Headers.Select(static header => ($"{header.Property} is", $"{header.Option.Name} is")),
        ("DownloadPartSizeBytes", "--part-size"),
        ("UploadPartSizeBytes", "--part-size"),
        ("PartSizeBytes", "--part-size"),
        ("MemoryBytes", "--memory"),
        ("MaxConcurrency", "--concurrency"),
        ("MaxConcurrentObjects", "--concurrency"),
        ("MaxRequests ", "--max-requests "),
        ("MaxBytes ", "--max-bytes "),
        ("MaxTime ", "--max-time "),
        ("MaxCost ", "--max-cost "),
        ("Encryption.KeyId", "--sse-kms-key-id"),
        ("IfMatch", "--if-match"),
        ("Overwrite is false", "--no-clobber is set"),
        ("Metadata", "--metadata"),
        ("Tags has", "--tag has"),
        ("Checksum Auto", "--checksum auto"),
        ("ExpectedBucketOwner", "--expected-bucket-owner"),
        ("SymbolicLinks.Skip", "--links skip"),
        ("AllowSpecialNames", "--allow-special-names"),
        ("EmbeddedS3ServerOptions.Buckets", "--bucket"),
        ("EmbeddedS3ServerOptions.Host", "--host"),
        ("EmbeddedS3ServerOptions.Replay", "--replay"),
        ("EmbeddedS3ServerOptions.Refuses", "--refuse"),
        ("EmbeddedS3ServerOptions.Ignores", "--ignore"),
        ("EmbeddedS3ServerOptions.Directory", "--dir"),
    ];

    public static string Translate(string message)
    {
        foreach ((string library, string tool) in Names)
        {
            message = message.Replace(library, tool, StringComparison.Ordinal);
        }

        return message;
    }
}
