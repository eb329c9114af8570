using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>The base of tests of whole transfers: a folder, a store, and a client whose buffers must all be returned at the end.</summary>
public abstract class TransferSuite : IDisposable
{
    private readonly List<TransferClient> _clients = [];

    protected string Folder { get; } = Directory.CreateTempSubdirectory("transfer-test-").FullName;

    protected TransferClient Client(Store store, Action<TransferClientOptions>? configure = null)
    {
        TransferClientOptions options = new()
        {
            Advanced = { Wire = store.Wire },
            HedgeRequests = false, // slow requests on a busy machine must not be sent twice: tests count requests,
        };
        configure?.Invoke(options);
        TransferClient client = new(store.S3, options);
        _clients.Add(client);
        return client;
    }

    protected string NewFile(string name, long length)
    {
        string path = Path.Combine(Folder, name);
        using FileStream file = File.Create(path);
        new PatternSource(length).CopyTo(file);
        return path;
    }

    protected static void AssertPattern(string path, long length)
    {
        using FileStream file = File.OpenRead(path);
        using PatternSink sink = new();
        file.CopyTo(sink);
        Assert.Equal(length, sink.Written);
    }

    /// <summary>
    /// Asserts that upload and download were verified by the same checksum. A small object without one,
    /// such as a range of MinIO, is compared with its ETag.
    /// </summary>
    protected static void AssertSameSum(UploadResult up, DownloadResult down)
    {
        bool isByTag = down.Verdict.Algorithm == ChecksumAlgorithm.Md5 && down.Statistics.BytesTransferred is > 0 and <= 1024 * 1024;
        Assert.True(isByTag || up.Verdict.Value == down.Verdict.Value, $"{up.Verdict}, {down.Verdict}");
    }

    public void Dispose()
    {
        Directory.Delete(Folder, recursive: true);
        foreach (TransferClient client in _clients)
        {
            Assert.True(client.RentedBytes == 0 && client.Context.Pool.Budget.ReservedBytes == 0, client.Context.Pool.DescribeRented());
        }

        GC.SuppressFinalize(this);
    }
}
