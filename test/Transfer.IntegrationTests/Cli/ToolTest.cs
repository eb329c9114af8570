using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The base of tests of the tool with an embedded server and a folder for files.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public abstract class ToolTest : IAsyncLifetime
#pragma warning restore CA1001
{
    protected const string Bucket = "bucket";
    private readonly TemporaryFolder _folder = new();

    protected EmbeddedS3Server Server { get; private set; } = null!;

    protected AmazonS3Client S3 { get; private set; } = null!;

    private protected Dictionary<string, string> Environment { get; private set; } = null!;

    protected virtual EmbeddedS3ServerOptions ServerOptions => new() { Buckets = [Bucket] };

    /// <summary>Gets the file of the tool that <see cref="RunAsync"/> starts.</summary>
    private protected virtual ToolFile Tool => ToolFile.UnderTest;

    /// <summary>Gets the folder in which the tool keeps its state.</summary>
    protected string State => GetPath("state");

    public async Task InitializeAsync()
    {
        Server = await EmbeddedS3Server.StartAsync(ServerOptions);
        S3 = Server.CreateClient();
        Environment = new Dictionary<string, string>
        {
            ["AWS_ENDPOINT_URL_S3"] = Server.Endpoint.ToString(),
            ["AWS_ACCESS_KEY_ID"] = Server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = Server.SecretAccessKey,
            ["XDG_STATE_HOME"] = State,
        };
    }

    public async Task DisposeAsync()
    {
        S3.Dispose();
        await Server.DisposeAsync();
        _folder.Dispose();
    }

    protected string GetPath(string name) => _folder.File(name);

    private protected Task<ToolOutcome> RunAsync(params string[] arguments) => ToolProcess.RunAsync(Tool, Environment, arguments);

    /// <summary>Kills commands that run at the same time with SIGKILL, when a number of requests were answered, and another one isn't.</summary>
    /// <returns>The outcomes of the commands that ended before.</returns>
    private protected async Task<ToolOutcome[]> KillAtAsync(int requests, params string[][] commands)
    {
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.StallHeaders) { After = requests, Times = null }] });
        long stalled = Server.Statistics.FaultCount(ServerFault.StallHeaders);
        ToolProcess[] tools = [.. commands.Select(arguments => ToolProcess.Start(Environment, arguments))];
        Array.ForEach(tools, static tool => tool.CloseInput());
        await Deadline.Until(() => tools.All(static tool => tool.HasExited) || Server.Statistics.FaultCount(ServerFault.StallHeaders) > stalled);
        bool[] areKilled = [.. tools.Select(static tool => tool.Kill())];
        ToolOutcome[] outcomes = await Task.WhenAll(tools.Select(static tool => tool.EndAsync()));
        Array.ForEach(tools, static tool => tool.Dispose());
        await Deadline.Until(() => Server.Statistics.ActiveRequests == 0);
        Server.SetFaults(null);
        return [.. outcomes.Where((_, i) => !areKilled[i])];
    }

    private protected async Task<string> WriteFileAsync(string name, byte[] content)
    {
        await File.WriteAllBytesAsync(GetPath(name), content).Within();
        return GetPath(name);
    }

    private protected async Task PutAsync(string key, byte[] content)
    {
        using MemoryStream body = new(content);
        await S3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = key, InputStream = body }).Within();
    }

    /// <summary>Stores objects of three bytes: 1, 2, and 3.</summary>
    private protected async Task PutManyAsync(params string[] keys)
    {
        foreach (string key in keys)
        {
            await PutAsync(key, [1, 2, 3]);
        }
    }

    private protected async Task<string[]> KeysAsync()
    {
        ListObjectsV2Response listed = await S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within();
        return [.. (listed.S3Objects ?? []).Select(item => item.Key).Order(StringComparer.Ordinal)];
    }

    private protected async Task<byte[]> GetAsync(string key)
    {
        using GetObjectResponse response = await S3.GetObjectAsync(Bucket, key).Within();
        using MemoryStream body = new();
        await response.ResponseStream.CopyToAsync(body).Within();
        return body.ToArray();
    }

    private protected async Task<int> CountUnfinishedUploadsAsync()
        => (await S3.ListMultipartUploadsAsync(Bucket).Within()).MultipartUploads?.Count ?? 0;
}
