using System.Collections.Concurrent;
using System.Globalization;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Faults;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Transfers;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>
/// Copies an object from one store to another with the tool, within little memory, and kills the tool with SIGKILL at a request of either store. The same command
/// continues, and doesn't read again what the target has.
/// </summary>
[LongRunning]
public sealed class StoreCopyKillTests : IDisposable
{
    private const long MiB = 1024 * 1024;
    private const long Memory = 64 * MiB;

    /// <summary>The bytes of documents that a copy may receive in addition to the object.</summary>
    private const long Slack = 256 * 1024;

    /// <summary>The bytes of the headers of a response.</summary>
    private const long Headers = 1024;

    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string, string> Directions
    {
        get
        {
            TheoryData<string, string> directions = new() { { Store.Embedded, Store.Embedded } };
            if (MinioStore.Endpoint is not null)
            {
                directions.Add(Store.Minio, Store.Embedded);
                directions.Add(Store.Embedded, Store.Minio);
            }

            return directions;
        }
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task KilledAtEachRequest_TheSameCommandCompletes(string from, string to)
    {
        const long Part = 5 * MiB;
        const int Parts = 2;
        const long Length = ((Parts - 1) * Part) + 1;
        await using StorePair pair = await StorePair.StartAsync(from, to, _folder.Path);
        await using TransferClient source = new(pair.From.S3);
        await using TransferClient target = new(pair.To.S3);
        await source.UploadAsync(new PatternSource(Length), pair.From.Bucket, "source", new UploadOptions { PartSizeBytes = Part }).Within();

        bool isKilled = true;
        for (int requests = 0; isKilled; requests++)
        {
            // The last request before the kill is carried out, or isn't. A short run tries each of both with every other number.
            bool[] carriedOut = LongTests.AreEnabled ? [false, true] : [requests % 2 == 1];
            isKilled = false;
            foreach (bool isCarriedOut in carriedOut)
            {
                string key = $"copy-{requests}-{isCarriedOut}";
                string[] arguments = pair.Copy("source", key, "--part-size", "5MiB", "--concurrency", "1");
                string about = $"killed at request {requests + 1}, carried out: {isCarriedOut}";
                bool wasKilled = await pair.KillAtAsync(requests, isCarriedOut, arguments);
                isKilled |= wasKilled;
                IReadOnlyList<(string Id, int Parts)> open = await pair.OpenUploadsAsync(key);
                long there = open.Sum(upload => upload.Parts) * Part;
                pair.Gate.Open();
                long before = pair.SourceBytes;

                if (wasKilled)
                {
                    (await pair.RunAsync(arguments)).Expect(0);
                }

                using PatternSink sink = new();
                await target.DownloadAsync(pair.To.Bucket, key, sink).Within();
                Assert.True(sink.Written == Length, $"{about}: {sink.Written} B");
                // A part whose response was lost is read again, to compare it.
                long read = pair.SourceBytes - before;
                Assert.True(read <= Math.Max(0, Length - there) + Part + Slack, $"{about}: {read} B were read, and the target had {there} B");
                Assert.Empty(await pair.OpenUploadsAsync(key)); // also if the ID of the upload was lost
            }
        }

        Assert.Empty(Directory.EnumerateFiles(pair.State, "*", SearchOption.AllDirectories));
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public async Task LargerThanMemory_IsReadOnceAndVerified_AlsoIfItIsKilled(string from, string to)
    {
        const long Part = 8 * MiB;
        const int Concurrency = 3;
        long length = LongTests.Choose(full: 5 * 1024 * MiB, quick: 192 * MiB) + 1;
        long parts = (length + Part - 1) / Part;
        int kills = LongTests.Choose(full: 12, quick: 3);
        await using StorePair pair = await StorePair.StartAsync(from, to, _folder.Path);
        await using TransferClient source = new(pair.From.S3);
        await source.UploadAsync(new PatternSource(length, canSeek: true), pair.From.Bucket, "source", new UploadOptions { PartSizeBytes = Part }).WaitAsync(StorePair.Longest);

        await using (TransferClient reading = pair.NewClient(isSource: true, Memory))
        await using (TransferClient writing = pair.NewClient(isSource: false, Memory))
        {
            CopyResult once = await reading.CopyAsync(new(pair.From.Bucket, "source"), writing, new(pair.To.Bucket, "once")).WaitAsync(StorePair.Longest);

            Assert.True(once.Verdict.IsVerified, once.Verdict.ToString());
            Assert.InRange(reading.PeakRentedBytes + writing.PeakRentedBytes, Part, Memory);
        }

        Assert.InRange(pair.SourceBytes, length, length + (parts * Headers) + Slack);
        Assert.Equal(parts, pair.SourceRequests.Count(request => request.Range is not null));
        Assert.InRange(pair.SourceRequests.Count, parts, parts + 3); // the checksum, the sizes of the parts, and the tags
        await pair.ExpectSameAsync("source", "once");
        pair.SourceRequests.Clear();

        Random random = new(1);
        string[] arguments = pair.Copy("source", "killed", "--memory", "64MiB", "--concurrency", $"{Concurrency}", "--json");
        HashSet<long> there = [];
        for (int i = 0; i < kills; i++)
        {
            // Each part takes a request of each store.
            Assert.True(await pair.KillAtAsync(4 + random.Next((int)(2 * parts / (kills + 1))), random.Next(2) == 0, arguments), $"kill {i}: the copy was complete");
            await ExpectNotReadAgainAsync();
        }

        pair.Gate.Open();
        ToolOutcome last = (await pair.RunAsync(arguments)).Expect(0);

        await ExpectNotReadAgainAsync();
        Assert.Equal("verified", last.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.InRange(last.Json.GetProperty("peak_buffer_bytes").GetInt64(), 1, Memory);
        Assert.InRange(last.Json.GetProperty("resumed_bytes").GetInt64(), Part, length);
        Assert.Empty(await pair.OpenUploadsAsync("killed"));
        Assert.Empty(Directory.EnumerateFiles(pair.State, "*", SearchOption.AllDirectories));
        await pair.ExpectSameAsync("source", "killed");

        // A run reads the parts again whose responses were lost when the one before was killed.
        async Task ExpectNotReadAgainAsync()
        {
            long[] again = [.. pair.SourceRequests
                .Where(request => request.Range is not (null or "bytes=0-0"))
                .Select(request => (long.Parse(request.Range!.Split('=', '-')[1], CultureInfo.InvariantCulture) / Part) + 1)
                .Where(there.Contains)
                .Distinct()];
            Assert.True(again.Length <= Concurrency, $"the parts {string.Join(", ", again)} were read again");
            pair.SourceRequests.Clear();
            there = await pair.PartsAsync("killed");
        }
    }

    /// <summary>Two stores behind proxies that count the requests of both, and the tool with a profile for each.</summary>
    private sealed class StorePair : IAsyncDisposable
    {
        public static readonly TimeSpan Longest = LongTests.Choose(full: TimeSpan.FromMinutes(10), quick: Deadline.Longest);
        private readonly FaultProxy _fromProxy;
        private readonly FaultProxy _toProxy;
        private readonly Dictionary<string, string> _environment;
        private readonly List<AmazonS3Client> _s3 = [];

        private StorePair(Store from, Store to, string folder)
        {
            (From, To) = (from, to);
            _fromProxy = new FaultProxy(GetEndpoint(from), Gate);
            _toProxy = new FaultProxy(GetEndpoint(to), Gate);
            State = Path.Combine(folder, "state");
            string config = Path.Combine(folder, "config");
            File.WriteAllText(config, ProfileOf("from", _fromProxy, from) + ProfileOf("to", _toProxy, to));
            _environment = new Dictionary<string, string>
            {
                ["AWS_CONFIG_FILE"] = config,
                ["XDG_STATE_HOME"] = State,
                ["DOTNET_EnableDiagnostics"] = "0", // the pipes of a runtime that is killed remain
            };
        }

        public Store From { get; }

        public Store To { get; }

        public RequestGate Gate { get; } = new();

        public string State { get; }

        public long SourceBytes => _fromProxy.BytesSent;

        public ConcurrentQueue<(string Operation, string? Range)> SourceRequests => _fromProxy.Requests;

        public static async Task<StorePair> StartAsync(string from, string to, string folder)
        {
            // Large objects don't fit in the memory of this process.
            string? Folder(string name) => LongTests.AreEnabled ? Path.Combine(folder, name) : null;
            return new StorePair(await Store.StartAsync(from, Folder("from")).Within(), await Store.StartAsync(to, Folder("to")).Within(), folder);
        }

        public string[] Copy(string source, string target, params string[] options)
            => ["cp", "--from-profile", "from", "--to-profile", "to", $"s3://{From.Bucket}/{source}", $"s3://{To.Bucket}/{target}", .. options];

        /// <summary>Creates a client that sends no request twice, because tests count requests.</summary>
        public TransferClient NewClient(bool isSource, long memory)
        {
            (string id, string secret) = GetKeys(isSource ? From : To);
            AmazonS3Config config = new() { ServiceURL = (isSource ? _fromProxy : _toProxy).Endpoint.ToString(), ForcePathStyle = true, AuthenticationRegion = "us-east-1" };
            AmazonS3Client s3 = new(new BasicAWSCredentials(id, secret), config);
            _s3.Add(s3);
            return new TransferClient(s3, new TransferClientOptions { MemoryBytes = memory, HedgeRequests = false });
        }

        public async Task<ToolOutcome> RunAsync(params string[] arguments)
        {
            using ToolProcess tool = ToolProcess.Start(_environment, arguments);
            tool.CloseInput();
            return await tool.EndAsync(atMost: Longest);
        }

        /// <summary>Kills the tool when a number of requests were answered, and another one isn't.</summary>
        /// <returns><c>true</c> if the tool was killed; <c>false</c> if it completed successfully before.</returns>
        public async Task<bool> KillAtAsync(int requests, bool isCarriedOut, string[] arguments)
        {
            Gate.CloseAfter(requests, isCarriedOut);
            using ToolProcess tool = ToolProcess.Start(_environment, arguments);
            tool.CloseInput();
            await Deadline.Until(() => tool.HasExited || Gate.Held > 0);
            bool isKilled = tool.Kill();
            ToolOutcome outcome = await tool.EndAsync();
            await Deadline.Until(() => _fromProxy.OpenConnections == 0 && _toProxy.OpenConnections == 0);
            if (!isKilled)
            {
                outcome.Expect(0);
            }

            return isKilled;
        }

        public async Task ExpectSameAsync(string source, string target)
        {
            ToolOutcome outcome = (await RunAsync("verify", "--from-profile", "from", "--to-profile", "to", $"s3://{From.Bucket}/{source}", $"s3://{To.Bucket}/{target}", "--json")).Expect(0);
            Assert.Equal("verified", outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        }

        /// <summary>Returns the IDs of the incomplete uploads of a key, and the numbers of their parts.</summary>
        public async Task<IReadOnlyList<(string Id, int Parts)>> OpenUploadsAsync(string key)
        {
            List<(string, int)> uploads = [];
            ListMultipartUploadsResponse listed = await To.S3.ListMultipartUploadsAsync(new ListMultipartUploadsRequest { BucketName = To.Bucket, Prefix = key }).Within();
            foreach (MultipartUpload upload in listed.MultipartUploads ?? [])
            {
                uploads.Add((upload.UploadId, (await To.S3.ListPartsAsync(To.Bucket, key, upload.UploadId).Within()).Parts?.Count ?? 0));
            }

            return uploads;
        }

        public async Task<HashSet<long>> PartsAsync(string key)
        {
            HashSet<long> parts = [];
            foreach ((string id, _) in await OpenUploadsAsync(key))
            {
                parts.UnionWith((await To.S3.ListPartsAsync(To.Bucket, key, id).Within()).Parts?.Select(part => (long)part.PartNumber!.Value) ?? []);
            }

            return parts;
        }

        public async ValueTask DisposeAsync()
        {
            _s3.ForEach(s3 => s3.Dispose());
            await _fromProxy.DisposeAsync();
            await _toProxy.DisposeAsync();
            await From.DisposeAsync();
            await To.DisposeAsync();
        }

        private static Uri GetEndpoint(Store store) => (store as EmbeddedStore)?.Server.Endpoint ?? new Uri(MinioStore.Endpoint!);

        private static (string Id, string Secret) GetKeys(Store store) => store is EmbeddedStore embedded
            ? (embedded.Server.AccessKeyId, embedded.Server.SecretAccessKey)
            : (Environment.GetEnvironmentVariable("AWS_ACCESS_KEY_ID")!, Environment.GetEnvironmentVariable("AWS_SECRET_ACCESS_KEY")!);

        private static string ProfileOf(string name, FaultProxy proxy, Store store)
        {
            (string id, string secret) = GetKeys(store);
            return $"[profile {name}]\nregion = us-east-1\nendpoint_url = {proxy.Endpoint}\naws_access_key_id = {id}\naws_secret_access_key = {secret}\n";
        }
    }
}
