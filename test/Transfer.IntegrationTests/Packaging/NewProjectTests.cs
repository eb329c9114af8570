using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>The packages in the projects of their users.</summary>
[Collection(PackageCollection.Name)]
public sealed class NewProjectTests(PackageFeed feed)
{
    private const string Executable = "<PropertyGroup><OutputType>Exe</OutputType></PropertyGroup>";

    [LongFact]
    public async Task Console_ProgramOfGettingStarted_TransfersVerifiedObject()
    {
        NewProject project = await NewProject.CreateAsync(feed, "Consumer", Executable, FirstExample("docs/getting-started.md"), "Transfer.S3", "Transfer.S3.Server");

        string output = await project.DotnetAsync("run");

        Assert.Contains("Downloaded 20,000,000 bytes: verified", output, StringComparison.Ordinal);
    }

    [LongFact]
    public async Task TestProject_TestOfTheServerPackage_Passes()
    {
        NewProject project = await NewProject.CreateAsync(
            feed, "Consumer.Tests", string.Empty, FirstExample("src/Transfer.Server/README.md"), "Transfer.S3.Server", "Microsoft.NET.Test.Sdk", "xunit", "xunit.runner.visualstudio");

        string output = await project.DotnetAsync("test");

        Assert.Contains("Passed:     1", output, StringComparison.Ordinal);
    }

    /// <summary>A service that .NET Aspire starts gets its store in a variable like this one.</summary>
    [LongFact]
    public async Task Service_WithTheAspirePackage_UploadsToItsConnectionAndIsHealthy()
    {
        const string Source = """
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Diagnostics.HealthChecks;
            using Microsoft.Extensions.Hosting;
            using Transfer.S3;

            HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
            builder.AddTransferClient("store", settings => settings.HealthCheckBucket = "bucket");
            using IHost host = builder.Build();
            await host.StartAsync();
            await host.Services.GetRequiredService<ITransferClient>().UploadAsync(new byte[1000], "bucket", "data.bin");
            HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
            Console.WriteLine($"The store is {report.Status}.");
            """;
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"] });
        NewProject project = await NewProject.CreateAsync(feed, "Service", Executable, Source, "Transfer.S3.Aspire", "Microsoft.Extensions.Hosting");

        string output = await project.DotnetAsync(
            "run", "--", $"--ConnectionStrings:store=Endpoint={server.Endpoint};AccessKeyId={server.AccessKeyId};SecretAccessKey={server.SecretAccessKey};Region={server.Region}");

        Assert.Contains("The store is Healthy.", output, StringComparison.Ordinal);
        Assert.Contains(server.Requests, request => request.Operation == "PutObject");
    }

    /// <summary>The example of the package, which isn't started: that takes the orchestrator of .NET Aspire.</summary>
    [LongFact]
    public async Task AppHost_OfTheReadme_Compiles()
    {
        NewProject project = await NewProject.CreateAsync(feed, "Orchestration", Executable, FirstExample("src/Transfer.Aspire.Hosting/README.md"), "Transfer.S3.Aspire.Hosting");

        Assert.Contains("0 Warning(s)", await project.DotnetAsync("build"), StringComparison.Ordinal);
    }

    /// <summary>All of the library, of its jobs, of its adapter, and of its package for Aspire is kept, and not only what the program uses, so that all of it is analyzed.</summary>
    [LongFact]
    public async Task Trimmed_WholeLibrary_HasNoWarningsAndTransfersVerifiedObject()
    {
        const string Content = """
            <PropertyGroup>
              <OutputType>Exe</OutputType>
              <PublishTrimmed>true</PublishTrimmed>
              <TrimmerSingleWarn>false</TrimmerSingleWarn>
            </PropertyGroup>
            <ItemGroup>
              <TrimmerRootAssembly Include="Transfer.S3" />
              <TrimmerRootAssembly Include="Transfer.S3.Jobs" />
              <TrimmerRootAssembly Include="Transfer.S3.TransferUtility" />
              <TrimmerRootAssembly Include="Transfer.S3.Aspire" />
            </ItemGroup>
            """;
        const string Source = """
            using Amazon.Runtime;
            using Amazon.S3;
            using Transfer.S3;

            using AmazonS3Client s3 = new(
                new BasicAWSCredentials(args[1], args[2]), new AmazonS3Config { ServiceURL = args[0], AuthenticationRegion = args[3], ForcePathStyle = true });
            await using TransferClient client = new(s3);
            DownloadResult result = await client.DownloadAsync("bucket", "data.bin", args[4]);
            Console.WriteLine(result.Verdict);
            """;
        byte[] data = Sample.Bytes(20 << 20);
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"] });
        using AmazonS3Client s3 = server.CreateClient();
        using MemoryStream body = new(data);
        await s3.PutObjectAsync(new PutObjectRequest { BucketName = "bucket", Key = "data.bin", InputStream = body }).Within();
        NewProject project = await NewProject.CreateAsync(feed, "Trimmed", Content, Source, "Transfer.S3.Aspire", "Transfer.S3.Jobs", "Transfer.S3.TransferUtility");
        string copy = Path.Combine(project.Folder, "copy.bin");

        string publish = await project.DotnetAsync("publish", "-c", "Release", "-r", Dotnet.Platform, "-o", "published");
        string output = await ExternalProgram.RunInAsync(
            project.Folder, Path.Combine(project.Folder, "published", "Trimmed"), new Dictionary<string, string>(), Deadline.Longest, server.Endpoint.ToString(), server.AccessKeyId, server.SecretAccessKey, server.Region, copy);

        Assert.DoesNotContain("warning", publish, StringComparison.Ordinal);
        Assert.StartsWith("verified", output, StringComparison.Ordinal);
        Assert.Equal(data, await File.ReadAllBytesAsync(copy));
    }

    private static string FirstExample(string page) => MarkdownPages.Blocks(page).First(block => block.Language == CodeBlock.CSharp).Text;
}
