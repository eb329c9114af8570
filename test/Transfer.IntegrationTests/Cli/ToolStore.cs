using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Runs the tool with a store that isn't only the embedded server.</summary>
internal sealed class ToolStore : IAsyncDisposable
{
    private readonly TemporaryFolder _folder = new();

    private ToolStore(Store store)
    {
        Store = store;
        Environment = EnvironmentOf(store, _folder.File("state"));
    }

    /// <summary>Gets the variables with which the tool uses a store.</summary>
    /// <param name="store">The store.</param>
    /// <param name="state">The folder in which the tool keeps its state.</param>
    public static Dictionary<string, string> EnvironmentOf(Store store, string state)
    {
        EmbeddedStore? embedded = store as EmbeddedStore;
        return new Dictionary<string, string>
        {
            ["AWS_ENDPOINT_URL_S3"] = embedded?.Server.Endpoint.ToString() ?? MinioStore.Endpoint!,
            ["AWS_ACCESS_KEY_ID"] = embedded?.Server.AccessKeyId ?? System.Environment.GetEnvironmentVariable("AWS_ACCESS_KEY_ID")!,
            ["AWS_SECRET_ACCESS_KEY"] = embedded?.Server.SecretAccessKey ?? System.Environment.GetEnvironmentVariable("AWS_SECRET_ACCESS_KEY")!,
            ["XDG_STATE_HOME"] = state,
        };
    }

    public Store Store { get; }

    public Dictionary<string, string> Environment { get; }

    public string Bucket => Store.Bucket;

    public static async Task<ToolStore> StartAsync(string name) => new(await Store.StartAsync(name));

    public Task<ToolOutcome> RunAsync(params string[] arguments) => ToolProcess.RunAsync(Environment, arguments);

    public async Task PutAsync(string key, byte[] content)
    {
        using MemoryStream body = new(content);
        await Store.S3.PutObjectAsync(new Amazon.S3.Model.PutObjectRequest { BucketName = Bucket, Key = key, InputStream = body }).Within();
    }

    public async ValueTask DisposeAsync()
    {
        await Store.DisposeAsync();
        _folder.Dispose();
    }
}
