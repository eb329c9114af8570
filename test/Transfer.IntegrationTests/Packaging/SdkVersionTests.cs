using System.Reflection;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Compatibility;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>What was built with one version of the AWS SDK, with others. The project file has the newest version, so that a restore of the solution gets it.</summary>
[Collection(PackageCollection.Name)]
public sealed class SdkVersionTests(PackageFeed feed)
{
    private const string Header = "| Version of `AWSSDK.S3` | Version of `AWSSDK.Core` |";

    private const string Program = """
        using System.Diagnostics;
        using Amazon.S3;
        using Amazon.S3.Transfer;
        using Transfer.S3;
        using Transfer.S3.Server;
        using Transfer.S3.TransferUtility;

        const string Bucket = "bucket";
        const int Large = 12 << 20;
        byte[] content = new byte[Large];
        new Random(1).NextBytes(content);
        string folder = Directory.CreateDirectory("data").FullName;
        string source = Path.Combine(Directory.CreateDirectory(Path.Combine(folder, "tree")).FullName, "large");
        File.WriteAllBytes(source, content);
        File.WriteAllBytes(Path.Combine(folder, "tree", "small"), content[..1000]);
        Console.WriteLine($"{GetVersion(typeof(AmazonS3Client))} {GetVersion(typeof(Amazon.Runtime.AWSCredentials))}");
        foreach (TransferWire wire in (TransferWire[])[TransferWire.Http, TransferWire.Sdk])
        {
            await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
            using AmazonS3Client s3 = server.CreateClient();
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, UploadPartSizeBytes = 5 << 20, DownloadPartSizeBytes = 5 << 20, MultipartThresholdBytes = 5 << 20 });
            await UseClientAsync(client);
            Console.WriteLine(wire);
            using TransferUtilityAdapter adapter = new(client);
            await UseAdapterAsync(adapter);
            Console.WriteLine($"adapter over {wire}");
        }

        async Task UseClientAsync(TransferClient client)
        {
            await client.UploadAsync(source, Bucket, "large");
            await client.UploadAsync(new MemoryStream(content, 0, 1000), Bucket, "small");
            Check((await client.DownloadAsync(Bucket, "large", Path.Combine(folder, "copy"))).Verdict.IsVerified, "download");
            Check(File.ReadAllBytes(Path.Combine(folder, "copy")).AsSpan().SequenceEqual(content), "content");
            Check((await client.GetInfoAsync(Bucket, "small")).Length == 1000, "head");
            await client.CopyAsync(new S3Uri(Bucket, "large"), new S3Uri(Bucket, "copied"));
            await client.SetTagsAsync(Bucket, "copied", new Dictionary<string, string> { ["name"] = "value" });
            Check((await client.GetTagsAsync(Bucket, "copied"))["name"] == "value", "tags");
            await using (ObjectWriteStream writer = await client.OpenWriteAsync(Bucket, "written"))
            {
                await writer.WriteAsync(content);
                await writer.CompleteAsync();
            }

            int listed = 0;
            await foreach (ListedObject _ in client.ListObjectsAsync(Bucket))
            {
                listed++;
            }

            Check(listed == 4, "list");
            await client.DeleteAsync(Bucket, "copied");
            await client.DeleteTreeAsync(Bucket, string.Empty, new DeleteDirectoryOptions { WholeBucket = true });
            await Throws<TransferException>(() => client.GetInfoAsync(Bucket, "large"));
        }

        async Task UseAdapterAsync(TransferUtilityAdapter adapter)
        {
            List<string> events = [];
            foreach (string file in (string[])["large", "small"])
            {
                TransferUtilityUploadRequest upload = new() { BucketName = Bucket, Key = file, FilePath = Path.Combine(folder, "tree", file) };
                upload.UploadInitiatedEvent += (_, _) => events.Add("begun");
                upload.UploadProgressEvent += (_, e) => events.Add(e.PercentDone == 100 ? "all" : "some");
                upload.UploadCompletedEvent += (_, _) => events.Add("completed");
                Check((await adapter.UploadWithResponseAsync(upload)).ETag.Length > 0, "response of an upload");
                Told("begun", "all", "completed");
                TransferUtilityDownloadRequest download = new() { BucketName = Bucket, Key = file, FilePath = Path.Combine(folder, file) };
                download.DownloadInitiatedEvent += (_, _) => events.Add("begun");
                download.WriteObjectProgressEvent += (_, e) => events.Add(e.PercentDone == 100 ? "all" : "some");
                download.DownloadCompletedEvent += (_, _) => events.Add("completed");
                Check((await adapter.DownloadWithResponseAsync(download)).ETag.Length > 0, "response of a download");
                Told("begun", "all", "completed");
                Check(File.ReadAllBytes(Path.Combine(folder, file)).AsSpan().SequenceEqual(File.ReadAllBytes(upload.FilePath)), "content of the adapter");
            }

            using (TransferUtilityOpenStreamResponse stream = await adapter.OpenStreamWithResponseAsync(Bucket, "small"))
            {
                Check(stream.ResponseStream.ReadByte() == content[0], "stream");
            }

            TransferUtilityDownloadRequest missing = new() { BucketName = Bucket, Key = "missing", FilePath = Path.Combine(folder, "missing") };
            missing.DownloadFailedEvent += (_, _) => events.Add("failed");
            await Throws<AmazonS3Exception>(() => adapter.DownloadAsync(missing));
            Told("failed");

            TransferUtilityUploadDirectoryRequest tree = new() { BucketName = Bucket, Directory = Path.Combine(folder, "tree"), KeyPrefix = "tree" };
            tree.UploadDirectoryInitiatedEvent += (_, _) => events.Add("begun");
            tree.UploadDirectoryProgressEvent += (_, e) => events.Add(e.NumberOfFilesUploaded == 2 ? "all" : "some");
            tree.UploadDirectoryFileRequestEvent += (_, e) => events.Add(e.UploadRequest.Key);
            tree.UploadDirectoryCompletedEvent += (_, _) => events.Add("completed");
            await adapter.UploadDirectoryWithResponseAsync(tree);
            Told("begun", "tree/large", "tree/small", "all", "completed");
            TransferUtilityDownloadDirectoryRequest copy = new() { BucketName = Bucket, S3Directory = "tree", LocalDirectory = Path.Combine(folder, "copies") };
            copy.DownloadDirectoryInitiatedEvent += (_, _) => events.Add("begun");
            copy.DownloadedDirectoryProgressEvent += (_, e) => events.Add(e.NumberOfFilesDownloaded == 2 ? "all" : "some");
            copy.DownloadDirectoryFileRequestEvent += (_, e) => events.Add(e.DownloadRequest.Key);
            copy.DownloadDirectoryCompletedEvent += (_, _) => events.Add("completed");
            await adapter.DownloadDirectoryWithResponseAsync(copy);
            Told("begun", "tree/large", "tree/small", "all", "completed");

            // Only the SDK's own utility has parts of this size.
            await adapter.UploadAsync(new TransferUtilityUploadRequest { BucketName = Bucket, Key = "own", FilePath = source, PartSize = 6L << 30 });
            await adapter.AbortMultipartUploadsAsync(Bucket, DateTime.UtcNow);

            void Told(params string[] expected)
            {
                Check(expected.All(events.Contains), $"events: {string.Join(", ", events)}");
                events.Clear();
            }
        }

        static string? GetVersion(Type type) => FileVersionInfo.GetVersionInfo(type.Assembly.Location).FileVersion;

        static void Check(bool isRight, string what)
        {
            if (!isRight)
            {
                throw new InvalidOperationException(what);
            }
        }

        static async Task Throws<T>(Func<Task> call)
            where T : Exception
        {
            try
            {
                await call();
            }
            catch (T)
            {
                return;
            }

            throw new InvalidOperationException($"There was no {typeof(T)}.");
        }
        """;

    /// <summary>Gets the versions of the documentation, from the lowest to the newest.</summary>
    public static TheoryData<string, string> Versions
    {
        get
        {
            TheoryData<string, string> versions = [];
            foreach ((string s3, string core) in Read())
            {
                versions.Add(s3, core);
            }

            return versions;
        }
    }

    /// <summary>The packages need the version that they were built with, so no lower one can be restored.</summary>
    [Fact]
    public void Documentation_BeginsWithTheVersionOfTheBuild() => Assert.EachEqual(
        (Pad(Read()[0].S3), Pad(Read()[0].Core)), (GetVersion(typeof(AmazonS3Client)), GetVersion(typeof(AWSCredentials))));

    /// <summary>All of the library runs: over both wires, and with each kind of call of the adapter.</summary>
    [LongTheory]
    [MemberData(nameof(Versions))]
    public async Task Packages_TransferObjects(string s3, string core)
    {
        string content = $"""
            <PropertyGroup><OutputType>Exe</OutputType></PropertyGroup>
            <ItemGroup><PackageReference Include="AWSSDK.S3" Version="[{s3}]" /></ItemGroup>
            """;
        NewProject project = await NewProject.CreateAsync(feed, $"Sdk_{s3.Replace('.', '_')}", content, Program, "Transfer.S3", "Transfer.S3.TransferUtility", "Transfer.S3.Server");

        string output = await project.DotnetAsync("run");

        Assert.Equal([$"{Pad(s3)} {Pad(core)}", "Http", "adapter over Http", "Sdk", "adapter over Sdk"], output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
    }

    /// <summary>The tests of this assembly, in a copy that has the newest SDK. The other runs of the tests have the lowest.</summary>
    [LongFact]
    public async Task TestsOfTheAdapter_WithTheNewestSdk_Pass()
    {
        (string s3, string core) = Read()[^1];
        string copy = Path.Combine(MarkdownPages.Root, "artifacts", "newest-sdk"); // below the root, which the tests look for
        try
        {
            foreach (string file in Directory.GetFiles(AppContext.BaseDirectory))
            {
                File.Copy(file, Path.Combine(Directory.CreateDirectory(copy).FullName, Path.GetFileName(file)), overwrite: true);
            }

            ReplaceAssembly("AWSSDK.S3", s3);
            ReplaceAssembly("AWSSDK.Core", core);

            string output = await Dotnet.RunAsync(
                Dotnet.OwnEnvironment, copy, "test", "Transfer.IntegrationTests.dll", "--filter", $"FullyQualifiedName~{nameof(TransferUtilityAdapterTests)}|FullyQualifiedName~{nameof(AdapterDirectoryTests)}");

            Assert.Contains("Passed!", output, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(copy, recursive: true);
        }

        void ReplaceAssembly(string package, string version)
        {
            string library = Path.Combine(Dotnet.MachinePackages, package.ToLowerInvariant(), version, "lib");
            string framework = Directory.GetDirectories(library).Select(Path.GetFileName).Contains("net10.0") ? "net10.0" : "net8.0";
            File.Copy(Path.Combine(library, framework, package + ".dll"), Path.Combine(copy, package + ".dll"), overwrite: true);
        }
    }

    private static (string S3, string Core)[] Read() =>
    [
        .. MarkdownPages.Lines("docs/versions.md").SkipWhile(static line => line != Header).Skip(2).TakeWhile(static line => line.StartsWith('|'))
            .Select(static line => line.Split('|', StringSplitOptions.TrimEntries)).Select(static cells => (cells[1], cells[2])),
    ];

    private static string GetVersion(Type type) => type.Assembly.GetCustomAttribute<AssemblyFileVersionAttribute>()!.Version;

    /// <summary>Gets the version of a file, which always has four numbers.</summary>
    private static string Pad(string version) => version.Split('.').Length < 4 ? version + ".0" : version;
}
