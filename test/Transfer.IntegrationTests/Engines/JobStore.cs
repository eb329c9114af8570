using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>A store that counts what the tasks of a job have written.</summary>
internal sealed class JobStore : IAsyncDisposable
{
    private const string Targets = "t/";
    private const string Folder = "run/";
    private readonly ToolStore _tool;
    private readonly EmbeddedS3Server? _server;
    private readonly Dictionary<string, string> _written = [];

    private JobStore(ToolStore tool)
    {
        _tool = tool;
        _server = (tool.Store as EmbeddedStore)?.Server;
    }

    public Dictionary<string, string> Environment => _tool.Environment;

    public string Target => $"s3://{_tool.Bucket}/t";

    public string Run => $"s3://{_tool.Bucket}/run";

    public static async Task<JobStore> StartAsync(string name)
    {
        JobStore store = new(await ToolStore.StartAsync(name));
        if (store._server is null)
        {
            // Each write of an object is a version of it.
            await store._tool.Store.S3.PutBucketVersioningAsync(new PutBucketVersioningRequest { BucketName = store._tool.Bucket, VersioningConfig = new S3BucketVersioningConfig { Status = VersionStatus.Enabled } }).Within();
        }
        else
        {
            store._server.FirstByteDelay = TimeSpan.FromMilliseconds(30); // tasks take long enough to be killed
        }

        return store;
    }

    public Task<ToolOutcome> RunAsync(params string[] arguments) => _tool.RunAsync(arguments);

    public async Task<string> ReadTextAsync(string name)
    {
        using GetObjectResponse response = await _tool.Store.S3.GetObjectAsync(_tool.Bucket, Folder + name).Within();
        using StreamReader reader = new(response.ResponseStream);
        return await reader.ReadToEndAsync().Within();
    }

    /// <summary>
    /// Gets the name of a whole object of each shard: the one at this position, or the last one. A shard that has only pieces of a huge object has none, because that
    /// object appears only at the end.
    /// </summary>
    public async Task<IReadOnlyList<string?>> ReadNamesAsync(int shards, Func<int, int> position)
    {
        string id = ToolOutcome.Parse(await ReadTextAsync("plan.json")).GetProperty("plan").GetProperty("id").GetString()!;
        List<string?> names = [];
        for (int shard = 0; shard < shards; shard++)
        {
            string[] lines = [.. (await ReadTextAsync($"shards/{id}/{shard:D6}.jsonl")).Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(line => !line.Contains("\"piece\":", StringComparison.Ordinal))];
            names.Add(lines is [] ? null : ToolOutcome.Parse(lines[Math.Min(position(shard), lines.Length - 1)]).GetProperty("name").GetString());
        }

        return names;
    }

    public async Task<bool> HasAsync(string name)
    {
        Note();
        try
        {
            await _tool.Store.S3.GetObjectMetadataAsync(_tool.Bucket, Targets + name).Within();
            return true;
        }
        catch (AmazonS3Exception e) when (e.StatusCode == System.Net.HttpStatusCode.NotFound)
        {
            return false;
        }
    }

    public async Task<int> CountUploadsAsync() => (await _tool.Store.OpenUploadsAsync()).Count;

    /// <summary>Asserts that no target was written twice.</summary>
    public async Task ExpectOneEffectAsync(int objects)
    {
        Note();
        List<string> keys = [.. _written.Values];
        if (_server is null)
        {
            await foreach (S3ObjectVersion version in _tool.Store.S3.Paginators.ListVersions(new ListVersionsRequest { BucketName = _tool.Bucket, Prefix = Targets }).Versions)
            {
                keys.Add(version.Key);
            }

            Assert.Equal(objects, keys.Count);
        }

        // The server doesn't know the outcome of a request whose client was killed before the response. So it can have fewer of them.
        Assert.Equal(keys.Distinct().Count(), keys.Count);
        Assert.InRange(keys.Count, objects - 100, objects);
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
        {
            _server.FirstByteDelay = TimeSpan.Zero;
        }

        // The store deletes what is left one by one.
        foreach (KeyVersion[] some in (await ListAllAsync()).Chunk(1000))
        {
            await _tool.Store.S3.DeleteObjectsAsync(new DeleteObjectsRequest { BucketName = _tool.Bucket, Objects = [.. some] }).Within();
        }

        await _tool.DisposeAsync();
    }

    private async Task<List<KeyVersion>> ListAllAsync()
    {
        List<KeyVersion> all = [];
        if (_server is null)
        {
            await foreach (S3ObjectVersion version in _tool.Store.S3.Paginators.ListVersions(new ListVersionsRequest { BucketName = _tool.Bucket }).Versions)
            {
                all.Add(new KeyVersion { Key = version.Key, VersionId = version.VersionId });
            }
        }
        else
        {
            await foreach (S3Object item in _tool.Store.S3.Paginators.ListObjectsV2(new ListObjectsV2Request { BucketName = _tool.Bucket }).S3Objects)
            {
                all.Add(new KeyVersion { Key = item.Key });
            }
        }

        return all;
    }

    /// <summary>Notes the writes of the requests that the server still knows.</summary>
    private void Note()
    {
        foreach (RequestRecord request in _server?.Requests ?? [])
        {
            if (request is { Operation: "PutObject" or "CompleteMultipartUpload", StatusCode: 200, Key: { } key } && key.StartsWith(Targets, StringComparison.Ordinal))
            {
                _written[request.RequestId] = key;
            }
        }
    }
}
