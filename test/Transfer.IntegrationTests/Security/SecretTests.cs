using System.Buffers;
using System.Security.Cryptography;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Security;

/// <summary>Keys, tokens, and signatures must appear in requests only.</summary>
public sealed class SecretTests : IAsyncLifetime, IDisposable
{
    private const string Bucket = "bucket";
    private const int Part = 5 << 20;
    private const string SecretKey = "planted+secret/key+of+forty+characters/0";
    private const string Token = "planted-session-token-of-no-meaning-at-all";
    private static readonly byte[] CustomerKeyBytes = SHA256.HashData("planted customer key"u8);
    private static readonly byte[] WrongKeyBytes = SHA256.HashData("planted wrong customer key"u8);
    private static readonly string[] Secrets =
    [
        SecretKey, Uri.EscapeDataString(SecretKey), Token,
        Convert.ToBase64String(CustomerKeyBytes), Convert.ToBase64String(WrongKeyBytes), Convert.ToHexStringLower(CustomerKeyBytes),
    ];

    private readonly TemporaryFolder _folder = new();
    private readonly SecretWatch _watch = new(Secrets);
    private EmbeddedS3Server _server = null!;

    public static TheoryData<TransferWire> Wires => [TransferWire.Http, TransferWire.Sdk];

    public async Task InitializeAsync() => _server = await EmbeddedS3Server.StartAsync(
        new EmbeddedS3ServerOptions { Buckets = [Bucket], SecretAccessKey = SecretKey, LoggerFactory = _watch });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public void Dispose()
    {
        _watch.Dispose();
        _folder.Dispose();
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Operations_Succeed_RevealNoSecret(TransferWire wire)
    {
        using AmazonS3Client s3 = S3(_server.Endpoint.ToString(), SecretKey);
        await using TransferClient client = Client(s3, wire);
        CustomerKey key = new(CustomerKeyBytes);
        byte[] large = Sample.Bytes((2 * Part) + 1);
        string file = _folder.File("file");
        await File.WriteAllBytesAsync(file, large);
        Progress progress = new(_watch);

        Show(await client.UploadAsync(new MemoryStream(new byte[1000]), Bucket, "small", new UploadOptions { CustomerKey = key }, progress).Within());
        Show(await client.UploadAsync(file, Bucket, "large", new UploadOptions { CustomerKey = key }, progress).Within());
        Show(await client.UploadAsync(new ReadOnlySequence<byte>(large), Bucket, "plain", null, progress).Within());
        Show(await client.DownloadAsync(Bucket, "large", _folder.File("copy"), new DownloadOptions { CustomerKey = key }, progress).Within());
        await using (ObjectReadStream stream = await client.OpenReadAsync(Bucket, "small", new DownloadOptions { CustomerKey = key }).Within())
        {
            Show(stream.Info);
            await stream.CopyToAsync(Stream.Null).Within();
        }

        await using (ObjectWriteStream stream = await client.OpenWriteAsync(Bucket, "written").Within())
        {
            await stream.WriteAsync(large).AsTask().Within();
            Show(await stream.CompleteAsync().Within());
        }

        Show(await client.VerifyAsync(file, Bucket, "large", new VerifyOptions { CustomerKey = key }).Within());
        Show(await client.CopyAsync(new(Bucket, "plain"), new(Bucket, "copied"), null, progress).Within());
        Directory.CreateDirectory(_folder.File("tree/a"));
        await File.WriteAllTextAsync(_folder.File("tree/a/b"), "b");
        Show(await client.UploadDirectoryAsync(_folder.File("tree"), Bucket, "tree/", null, progress).Within());
        Show(await client.DownloadDirectoryAsync(Bucket, "tree/", _folder.File("down"), null, progress).Within());
        Show(await client.VerifyTreeAsync(Place.InDirectory(_folder.File("tree")), Place.InBucket(Bucket, "tree/")).Within());
        await s3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = Bucket, Key = "unfinished" });
        Show(await client.AbortUploadsAsync(Bucket, "unfinished").Within());

        AssertWatched();
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Operations_Fail_RevealNoSecret(TransferWire wire)
    {
        using AmazonS3Client right = S3(_server.Endpoint.ToString(), SecretKey);
        using AmazonS3Client wrong = S3(_server.Endpoint.ToString(), SecretKey[1..]);
        using AmazonS3Client nobody = S3("http://127.0.0.1:1", SecretKey, Token);
        using AmazonS3Client session = S3(_server.Endpoint.ToString(), SecretKey, Token); // a token that the server has not issued
        await using TransferClient client = Client(right, wire);
        await using TransferClient refused = Client(wrong, wire);
        await using TransferClient lost = Client(nobody, wire);
        await using TransferClient unknown = Client(session, wire);
        CustomerKey key = new(CustomerKeyBytes);
        await File.WriteAllTextAsync(_folder.File("file"), "file");
        await client.UploadAsync(new MemoryStream(new byte[1000]), Bucket, "small", new UploadOptions { CustomerKey = key }).Within();

        foreach (TransferClient one in (TransferClient[])[client, refused, lost, unknown])
        {
            await FailAsync(() => one.DownloadAsync(Bucket, "missing", Stream.Null));
            await FailAsync(() => one.DownloadAsync("no-such-bucket", "k", _folder.File("none")));
            await FailAsync(() => one.OpenReadAsync(Bucket, "small", new DownloadOptions { CustomerKey = new CustomerKey(WrongKeyBytes) }));
            await FailAsync(() => one.DownloadAsync(Bucket, "small", Stream.Null)); // without the customer key
            await FailAsync(() => one.UploadAsync(new MemoryStream(new byte[10]), "no-such-bucket", "k", new UploadOptions { CustomerKey = key }));
            await FailAsync(() => one.UploadAsync(new MemoryStream(new byte[(2 * Part) + 1]), "no-such-bucket", "k", new UploadOptions { CustomerKey = key }));
            await FailAsync(() => one.UploadAsync(new MemoryStream(new byte[10]), Bucket, "small", new UploadOptions { CustomerKey = key, Overwrite = false }));
            await FailAsync(() => one.CopyAsync(new(Bucket, "missing"), new(Bucket, "k")));
            await FailAsync(() => one.DownloadDirectoryAsync("no-such-bucket", "p/", _folder.File("down")));
            await FailAsync(() => one.UploadDirectoryAsync(_folder.Path, "no-such-bucket", "p/"));
            await FailAsync(() => one.VerifyTreeAsync(Place.InDirectory(_folder.Path), Place.InBucket("no-such-bucket", "p/")));
            await FailAsync(() => one.AbortUploadsAsync("no-such-bucket", "p/"));
        }

        Assert.Throws<ArgumentException>(() => CustomerKey.FromBase64(Convert.ToBase64String(CustomerKeyBytes) + "x"));
        AssertWatched();
    }

    [Fact]
    public async Task Store_EchoesTheRequestInItsError_SecretsAreRemoved()
    {
        await using ScriptedServer server = new(request => ScriptedAnswer.Text(
            "HTTP/1.1 403 No\r\nx-amz-request-id: R1",
            $"<Error><Code>SignatureDoesNotMatch</Code><CanonicalRequest>{Everything(request)}</CanonicalRequest><Message>wrong: {Everything(request)}</Message></Error>"));
        using AmazonS3Client s3 = S3(server.Url, SecretKey, Token);
        await using TransferClient client = Client(s3, TransferWire.Http);

        Exception down = await FailAsync(() => client.DownloadAsync(Bucket, "k", Stream.Null, new DownloadOptions { CustomerKey = new CustomerKey(CustomerKeyBytes) }));
        await FailAsync(() => client.UploadAsync(new MemoryStream(new byte[10]), Bucket, "k", new UploadOptions { CustomerKey = new CustomerKey(CustomerKeyBytes) }));

        Assert.Contains("SignatureDoesNotMatch: wrong: ", down.Message, StringComparison.Ordinal);
        Assert.NotEmpty(server.Requests);
        _watch.AssertNothing();

        static string Everything(ScriptedRequest request) => string.Join(' ', request.Headers.Values.Select(System.Security.SecurityElement.Escape));
    }

    [Fact]
    public async Task Server_PresignedRequests_LogsNoSignature()
    {
        using AmazonS3Client s3 = S3(_server.Endpoint.ToString(), SecretKey);
        using HttpClient http = new();
        string put = Presigned(s3, HttpVerb.PUT, "presigned");
        string get = Presigned(s3, HttpVerb.GET, "presigned");

        using HttpResponseMessage up = await http.PutAsync(new Uri(put), new ByteArrayContent([1, 2, 3])).Within();
        using HttpResponseMessage down = await http.GetAsync(new Uri(get)).Within();
        using HttpResponseMessage tampered = await http.GetAsync(new Uri(get.Replace("X-Amz-Expires=", "X-Amz-Expires=1", StringComparison.Ordinal))).Within();

        Assert.EachEqual((200, 200, 403), ((int)up.StatusCode, (int)down.StatusCode, (int)tampered.StatusCode));
        Assert.All(_server.Requests, request => _watch.Look("request record", request.ToString()));
        AssertWatched();
    }

    [Fact]
    public async Task Server_InvalidHeaders_LogsNoneOfThem()
    {
        using System.Net.Sockets.TcpClient connection = new();
        await connection.ConnectAsync("127.0.0.1", _server.Endpoint.Port);
        await connection.GetStream().WriteAsync(System.Text.Encoding.ASCII.GetBytes($"GET /{Token}?X-Amz-Signature={new string('a', 64)} HTTP/1.1\r\nHost: a\r\nx-amz-security-token : {Token}\r\n\r\n"));
        using StreamReader reader = new(connection.GetStream());

        Assert.Contains("400", await reader.ReadLineAsync().Within(), StringComparison.Ordinal);
        _watch.AssertNothing();
    }

    [Fact]
    public async Task Tool_AnyCommand_RevealsNoSecret()
    {
        string file = _folder.File("file");
        await File.WriteAllBytesAsync(file, Sample.Bytes(Part + 1));
        string keyFile = _folder.File("key");
        await File.WriteAllTextAsync(keyFile, Convert.ToBase64String(CustomerKeyBytes));
        string badKeyFile = _folder.File("bad-key");
        await File.WriteAllTextAsync(badKeyFile, Convert.ToBase64String(CustomerKeyBytes) + "x");
        Dictionary<string, string> environment = new()
        {
            ["AWS_ENDPOINT_URL_S3"] = _server.Endpoint.ToString(),
            ["AWS_ACCESS_KEY_ID"] = _server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = SecretKey,
            ["TRANSFER_DEBUG"] = "1",
        };
        await RunAsync(0, "cp", "--json", "--sse-c-key-file", keyFile, file, "s3://bucket/k");
        await RunAsync(0, "cp", "--json", "--sse-c-key-file", keyFile, "s3://bucket/k", _folder.File("copy"));
        await RunAsync(0, "verify", "--sse-c-key-file", keyFile, file, "s3://bucket/k");
        await RunAsync(0, "ls", "--json", "s3://bucket");
        await RunAsync(1, "cp", "--json", "s3://bucket/k", _folder.File("copy"));
        await RunAsync(2, "cp", "--sse-c-key-file", badKeyFile, "s3://bucket/k", _folder.File("copy"));
        await RunAsync(1, "cp", "-r", "--json", "s3://no-such-bucket", _folder.File("down"));
        await RunAsync(2, "cp", $"https://user@host/k?X-Amz-Signature={new string('a', 64)}&X-Amz-Security-Token={Token}", _folder.File("copy"));
        await RunAsync(1, "cp", $"http://127.0.0.1:1/b/k?X-Amz-Signature={new string('a', 64)}&X-Amz-Security-Token={Token}", _folder.File("copy"));
        environment["AWS_SESSION_TOKEN"] = Token;
        await RunAsync(1, "cp", "--json", file, "s3://bucket/k");
        await RunAsync(1, "ls", "s3://bucket");
        environment.Remove("AWS_SESSION_TOKEN");
        environment["AWS_SECRET_ACCESS_KEY"] = SecretKey[1..];
        await RunAsync(1, "cp", "--json", "--sse-c-key-file", keyFile, file, "s3://bucket/k");
        await RunAsync(1, "ls", "s3://bucket");
        await RunAsync(1, "abort", "s3://bucket");
        environment.Remove("AWS_ACCESS_KEY_ID");
        await RunAsync(2, "ls", "s3://bucket");
        _watch.AssertNothing();

        async Task RunAsync(int exitCode, params string[] line)
        {
            ToolOutcome outcome = await ToolProcess.RunAsync(environment, line);
            Assert.True(outcome.ExitCode == exitCode, $"{string.Join(' ', line)} exited with code {outcome.ExitCode}: {outcome.Error}");
            _watch.Look(line[0], outcome.Error + outcome.Text);
            _watch.Look(line[0], outcome.Error.Contains(SecretKey[1..], StringComparison.Ordinal) ? SecretKey : null);
        }
    }

    private static AmazonS3Client S3(string url, string secret, string? token = null) => new(
        token is null ? new BasicAWSCredentials("transfer", secret) : new SessionAWSCredentials("transfer", secret, token),
        new AmazonS3Config { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = "us-east-1", MaxErrorRetry = 0 });

    private static string Presigned(AmazonS3Client s3, HttpVerb verb, string key) => s3.GetPreSignedURL(
        new GetPreSignedUrlRequest { BucketName = Bucket, Key = key, Verb = verb, Expires = DateTime.UtcNow.AddMinutes(5), Protocol = Protocol.HTTP });

    private TransferClient Client(AmazonS3Client s3, TransferWire wire)
    {
        TransferEvents events = new();
        events.Initiated += (_, e) => Show(e);
        events.Progressed += (_, e) => Show(e);
        events.Completed += (_, e) => Show(e);
        events.Failed += (_, e) => Show(e);
        return new TransferClient(s3, new TransferClientOptions
        {
            Advanced = { Wire = wire },
            MaxAttempts = 2,
            UploadPartSizeBytes = Part,
            MultipartThresholdBytes = Part,
            DownloadPartSizeBytes = 1 << 20,
            LoggerFactory = _watch,
            Events = events,
        });
    }

    private async Task<Exception> FailAsync(Func<Task> operation)
    {
        Exception e = await Assert.ThrowsAnyAsync<TransferException>(() => operation().Within());
        _watch.Look(e);
        _watch.Look(((TransferException)e).CleanupError);
        return e;
    }

    private void Show(object result)
    {
        _watch.Look(result.GetType().Name, result.ToString());
        foreach (System.Reflection.PropertyInfo property in result.GetType().GetProperties().Where(property => property.GetIndexParameters().Length == 0))
        {
            _watch.Look(property.Name, property.GetValue(result)?.ToString());
        }
    }

    private void AssertWatched()
    {
        (int logged, int activities, int events) = _watch.Seen;
        Assert.True(logged > 0 && activities > 0 && events > 0, $"{logged} messages, {activities} activities, {events} events were watched");
        _watch.AssertNothing();
    }

    private sealed class Progress(SecretWatch watch) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => watch.Look("progress", value.ToString());
    }
}
