using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>A folder, or a prefix of a store, in which commands and others work at the same time.</summary>
/// <param name="Name">The name in messages.</param>
/// <param name="Path">The path of a folder; null for a prefix.</param>
/// <param name="Server">The store of a prefix; null for a folder.</param>
/// <param name="S3">The client of a prefix that isn't observed; null for a folder.</param>
/// <param name="Prefix">The prefix, which ends in a slash; empty for a folder.</param>
internal sealed record CopyPlace(string Name, string? Path, EmbeddedS3Server? Server, AmazonS3Client? S3, string Prefix)
{
    public const string Bucket = "bucket";

    public bool IsFolder => Path is not null;

    public S3Uri Uri => new(Bucket, Prefix);

    /// <summary>Returns whether a request is about a name here.</summary>
    public bool Has(RequestStep step, string name) => Server?.Endpoint.Port == step.Port && step.Path == $"/{Bucket}/{Prefix}{name}";

    /// <summary>Returns whether a request lists the names here.</summary>
    public bool IsListedBy(RequestStep step) => Server?.Endpoint.Port == step.Port && step.IsListing && step.Query.Contains($"prefix={Prefix}", StringComparison.Ordinal);

    /// <summary>Returns whether a request may look up a name here.</summary>
    public bool IsLookedUpBy(RequestStep step, string name)
        => step.IsLookup && (Has(step, name) || (Server?.Endpoint.Port == step.Port && step.Query.Contains($"prefix={Prefix}", StringComparison.Ordinal)));

    /// <summary>Writes new content under a name. A file gets it at once and is another file afterward.</summary>
    /// <returns>The content that it replaces; null if there was none.</returns>
    public string? Write(string name, string content)
    {
        string? before = ReadAsync().Block().GetValueOrDefault(name);
        if (Path is null)
        {
            S3!.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = Prefix + name, ContentBody = content }).Block();
            return before;
        }

        string file = System.IO.Path.Combine(Path, name);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(file)!);
        string temporary = $"{Path}-being-written";
        File.WriteAllText(temporary, content);
        File.Move(temporary, file, overwrite: true);
        return before;
    }

    /// <summary>Gets all names with their contents.</summary>
    public async Task<Dictionary<string, string>> ReadAsync()
    {
        Dictionary<string, string> all = [];
        if (Path is not null)
        {
            foreach (string file in Directory.Exists(Path) ? Directory.GetFiles(Path, "*", SearchOption.AllDirectories) : [])
            {
                all.Add(System.IO.Path.GetRelativePath(Path, file), await File.ReadAllTextAsync(file).ConfigureAwait(false));
            }

            return all;
        }

        foreach (S3Object item in (await S3!.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket, Prefix = Prefix }).Within()).S3Objects ?? [])
        {
            using GetObjectResponse response = await S3.GetObjectAsync(Bucket, item.Key).Within();
            using StreamReader reader = new(response.ResponseStream);
            all.Add(item.Key[Prefix.Length..], await reader.ReadToEndAsync().Within());
        }

        return all;
    }
}
