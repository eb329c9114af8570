using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>Parses the address of the folder of a job.</summary>
internal static class JobAddress
{
    public const string Accepted = "s3://bucket/prefix, or a folder that all machines share";

    public static Location Parse(string text)
    {
        Location folder = Location.Parse(text);
        return folder switch
        {
            { Kind: LocationKind.Standard } => throw new UsageException($"'-' can't be the folder of a job; specify {Accepted}"),
            { Kind: LocationKind.S3, Bucket.Length: 0 } or { Kind: LocationKind.S3, Key.Length: 0 } => throw new UsageException($"'{Printable.Text(text)}' has no prefix; specify {Accepted}"),
            _ => folder,
        };
    }
}
