using System.Diagnostics;
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

    public static new async Task<BenchmarkServer> StartAsync(ServerKind kind, IReadOnlyList<long> sizes)
    {
        Process process = ChildProcess.Start([Verb, kind.ToString()]);
        string line = await process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("The server ended before it listened.");
        EmbeddedServer server = new(process, new Uri(line));
        using AmazonS3Client s3 = Workbench.Connect(server.Endpoint);
        await using TransferClient client = new(s3);
        foreach (long size in sizes)
        {
            await client.UploadAsync(TestData.Of(size), BenchmarkStore.Bucket, Workbench.ObjectKey(size));
        }

        return server;
    }

    /// <summary>What the child does: serves until its standard input ends.</summary>
    public static async Task RunAsync(ServerKind kind)
    {
        bool discards = kind is ServerKind.Discarding or ServerKind.DiscardingTls or ServerKind.DiscardingSlow;
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
        {
            Buckets = [BenchmarkStore.Bucket],
            Discard = discards,
            FirstByteDelay = TimeSpan.FromMilliseconds(kind switch { ServerKind.Slow => 30, ServerKind.DiscardingSlow => 20, _ => 0 }),
            Certificate = kind == ServerKind.DiscardingTls ? NewCertificate() : null,
        });
        Console.WriteLine(server.Endpoint);
        await Console.In.ReadToEndAsync();
    }

    public override async ValueTask DisposeAsync()
    {
        Process.StandardInput.Close();
        await Process.WaitForExitAsync();
        Process.Dispose();
    }

    private static X509Certificate2 NewCertificate()
    {
        using RSA key = RSA.Create(2048);
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);
    }
}
