using System.Buffers;
using System.Diagnostics;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Amazon.S3;
using Transfer.Benchmarks.Macro;
using Transfer.Server;

namespace Transfer.Benchmarks.Compare;

/// <summary>The embedded server in a child of this process.</summary>
internal sealed class EmbeddedServer(Process process, Uri endpoint) : BenchmarkServer(process, endpoint)
{
    public const string Verb = "server";
    private const long MiB = 1024 * 1024;

    public static new async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
    {
        string? certificatePath = kind == ServerKind.DiscardingTls ? Scratch.NewPath() : null;
        Process process = ChildProcess.Start(certificatePath is null ? [Verb, kind.ToString()] : [Verb, kind.ToString(), certificatePath]);
        string line = await process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("The server ended before it listened.");
        EmbeddedServer server = new(process, new Uri(line)) { CertificatePath = certificatePath };
        if (Discards(kind))
        {
            return server;
        }

        using AmazonS3Client s3 = Workbench.Connect(server.Endpoint);
        await using TransferClient client = new(s3);
        if (contest.IsTree)
        {
            ReadOnlySequence<byte> content = TestData.Of(sizes[0]);
            await Parallel.ForEachAsync(
                Enumerable.Range(0, contest.ObjectsPerRun), async (i, token) => await client.UploadAsync(content, BenchmarkStore.Bucket, $"{Tree.Prefix}/{Tree.Name(i)}", cancellationToken: token));
            return server;
        }

        foreach (long size in sizes)
        {
            await client.UploadAsync(TestData.Of(size), BenchmarkStore.Bucket, Workbench.ObjectKey(size));
        }

        return server;
    }

    /// <summary>What the child does: serves until its standard input ends.</summary>
    /// <param name="kind">How it is to be.</param>
    /// <param name="certificatePath">Where to write the certificate, if it is to speak TLS.</param>
    public static async Task RunAsync(ServerKind kind, string? certificatePath)
    {
        using X509Certificate2? certificate = certificatePath is null ? null : NewCertificate();
        if (certificate is not null)
        {
            await File.WriteAllTextAsync(certificatePath!, certificate.ExportCertificatePem());
        }

        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
        {
            Buckets = [BenchmarkStore.Bucket],
            Discard = Discards(kind),
            Md5ETags = false, // or an upload would measure the server's MD5
            FirstByteDelay = TimeSpan.FromMilliseconds(kind switch { ServerKind.Slow => 30, ServerKind.DiscardingSlow => 20, ServerKind.Link or ServerKind.DiscardingLink or ServerKind.Throttling => 40, _ => 0 }),
            LinkBytesPerSecond = kind is ServerKind.Link or ServerKind.DiscardingLink ? 800 * MiB : null,
            ConnectionBytesPerSecond = kind is ServerKind.Link or ServerKind.DiscardingLink or ServerKind.Throttling ? 40 * MiB : null,
            MaxRequests = kind == ServerKind.Throttling ? 40 : null,
            Certificate = certificate,
        });
        Console.WriteLine(server.Endpoint);
        await Console.In.ReadToEndAsync();
    }

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

    private static bool Discards(ServerKind kind) => kind is ServerKind.Discarding or ServerKind.DiscardingLink or ServerKind.DiscardingTls or ServerKind.DiscardingSlow;

    private static X509Certificate2 NewCertificate()
    {
        using RSA key = RSA.Create(2048);
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);
    }
}
