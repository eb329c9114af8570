using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Amazon.S3;
using Transfer.S3.Benchmarks.Macro;
using Transfer.S3.Server;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The embedded server in a child process. The parent reports on its standard input when a contender is measured.</summary>
internal sealed class EmbeddedServer(Process process, Uri endpoint) : BenchmarkServer(process, endpoint)
{
    public const string Verb = "server";
    private const string Begin = "begin";
    private const string Mark = "mark";
    private const string End = "end";

    public static new async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
    {
        string? certificatePath = ServerSettings.Find(kind).HasTls ? Scratch.NewPath() : null;
        Process process = ChildProcess.Start(
            [Verb, kind.ToString(), contest.Name, string.Join(',', sizes), contest.ObjectsPerRun.ToString(CultureInfo.InvariantCulture), .. certificatePath is null ? Array.Empty<string>() : [certificatePath]]);
        return new EmbeddedServer(process, new Uri(await ReadLineAsync(process))) { CertificatePath = certificatePath };
    }

    /// <summary>Runs the child process: stores the objects that the contest reads, and serves them until its standard input ends.</summary>
    /// <param name="arguments">The kind of server, the contest, the sizes and the number of its objects, and for TLS, the path for the certificate.</param>
    public static async Task RunAsync(ReadOnlyMemory<string> arguments)
    {
        string[] a = arguments.ToArray();
        ServerSettings settings = ServerSettings.Find(Enum.Parse<ServerKind>(a[0]));
        Contest contest = Contests.Find(a[1], int.Parse(a[3], CultureInfo.InvariantCulture));
        using X509Certificate2? certificate = settings.HasTls ? ServerCertificate.Create() : null;
        if (certificate is not null)
        {
            await File.WriteAllTextAsync(a[4], certificate.ExportCertificatePem());
        }

        string? folder = contest.IsOnDisk ? Scratch.NewPath(isLarge: true) : null;
        try
        {
            await ServeAsync(contest, settings, folder, certificate, a[2]);
        }
        finally
        {
            if (folder is not null && Directory.Exists(folder))
            {
                Directory.Delete(folder, recursive: true);
            }
        }
    }

    public override async Task BeginRecordingAsync() => await AskAsync(Begin);

    public override async Task MarkAsync() => await AskAsync(Mark);

    public override async Task<ServerRecording?> EndRecordingAsync() => JsonSerializer.Deserialize<ServerRecording>(await AskAsync(End));

    public override async ValueTask DisposeAsync()
    {
        Process.StandardInput.Close();
        await Process.WaitForExitAsync();
        Process.Dispose();
        if (CertificatePath is not null)
        {
            File.Delete(CertificatePath);
        }
    }

    private static async Task ServeAsync(Contest contest, ServerSettings settings, string? folder, X509Certificate2? certificate, string sizes)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
        {
            Buckets = [BenchmarkStore.Bucket],
            Directory = folder,
            Discard = settings.Discards,
            Md5ETags = false, // otherwise, an upload would include the server's MD5
            MaxRequests = settings.MaxRequests,
            Certificate = certificate,
        });
        if (!contest.IsUpload)
        {
            await FillAsync(server, contest, settings.Discards, [.. sizes.Split(',').Select(static one => long.Parse(one, CultureInfo.InvariantCulture))]);
        }

        Console.WriteLine(server.Endpoint);
        ServerRecorder? recorder = null;
        while (await Console.In.ReadLineAsync() is { } line)
        {
            string answer = string.Empty;
            if (line == Begin)
            {
                recorder = new ServerRecorder(server, settings);
            }
            else if (line == Mark)
            {
                recorder!.Mark();
            }
            else
            {
                answer = JsonSerializer.Serialize(recorder!.Stop());
            }

            Console.WriteLine(answer);
        }
    }

    private static async Task FillAsync(EmbeddedS3Server server, Contest contest, bool discards, IReadOnlyList<long> sizes)
    {
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = new(s3);
        if (contest.IsTree)
        {
            ReadOnlySequence<byte> content = contest.Content(sizes[0]);
            IEnumerable<(string Prefix, int Pieces)> trees = contest.Pieces.Select(static pieces => (Tree.GetPrefix(pieces), pieces));
            foreach ((string prefix, int pieces) in contest.HasCopy ? trees.Append((Tree.CopyPrefix, 1)) : trees)
            {
                await Parallel.ForEachAsync(
                    Enumerable.Range(0, contest.ObjectsPerRun / pieces),
                    async (i, token) => await client.UploadAsync(content, BenchmarkStore.Bucket, $"{prefix}/{Tree.Name(i)}", cancellationToken: token));
            }

            if (contest.LargeBytes is { } large)
            {
                await client.UploadAsync(TestData.Zeros(large), BenchmarkStore.Bucket, Workbench.ObjectKey(large));
            }

            return;
        }

        foreach (long size in sizes.SelectMany(size => contest.Pieces.Select(pieces => size / pieces)))
        {
            // A server that discards content returns zeros, so the object needs their checksum.
            await client.UploadAsync(discards ? TestData.Zeros(size) : contest.Content(size), BenchmarkStore.Bucket, Workbench.ObjectKey(size));
        }
    }

    private static async Task<string> ReadLineAsync(Process process)
        => await process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("The server exited before it was ready.");

    private async Task<string> AskAsync(string line)
    {
        await Process.StandardInput.WriteLineAsync(line);
        await Process.StandardInput.FlushAsync();
        return await ReadLineAsync(Process);
    }
}
