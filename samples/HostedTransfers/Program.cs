using System.Security.Cryptography;
using Amazon.S3;
using HostedTransfers;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Samples;
using Transfer.S3;

await using SampleStore store = await SampleStore.OpenAsync();
if (args is [string directory])
{
    try
    {
        // Runs until Ctrl+C or SIGTERM. Run it again with the same directory to resume.
        using Outbox outbox = new(directory);
        await CreateHost(store, outbox).RunAsync();
        return 0;
    }
    catch (Exception e) when (e is IOException or UnauthorizedAccessException)
    {
        Console.Error.WriteLine(e.Message);
        return 1;
    }
}

// Without a directory: the first run is stopped in the middle of a file, and the second one resumes it.
store.Server?.LinkBytesPerSecond = 16 << 20;
string temporary = Directory.CreateTempSubdirectory("transfer-outbox-").FullName;
try
{
    string file = Path.Combine(temporary, "backup.bin");
    await File.WriteAllBytesAsync(file, RandomNumberGenerator.GetBytes(64 << 20));
    await RunAsync(store, Path.Combine(temporary, "outbox"), file, stopAtBytes: 16 << 20);
    await RunAsync(store, Path.Combine(temporary, "outbox"));
    return 0;
}
finally
{
    Directory.Delete(temporary, recursive: true);
}

static async Task RunAsync(SampleStore store, string directory, string? newFile = null, long stopAtBytes = long.MaxValue)
{
    using Outbox outbox = new(directory);
    TransferEvents events = new();
    IHost host = CreateHost(store, outbox, events);
    IHostApplicationLifetime lifetime = host.Services.GetRequiredService<IHostApplicationLifetime>();
    events.Progressed += (_, e) =>
    {
        if (e.Progress.BytesConfirmed >= stopAtBytes)
        {
            lifetime.StopApplication(); // as Ctrl+C does
        }
    };

    if (newFile is not null)
    {
        outbox.Add(newFile);
    }

    outbox.Complete();
    await host.RunAsync();
}

static IHost CreateHost(SampleStore store, Outbox outbox, TransferEvents? events = null)
{
    HostApplicationBuilder builder = Host.CreateApplicationBuilder();
    builder.Logging.AddSimpleConsole(options => options.SingleLine = true);
    builder.Services.AddSingleton(store);
    builder.Services.AddSingleton(outbox);
    builder.Services.AddSingleton<IAmazonS3>(store.S3);
    builder.Services.AddTransfer(options =>
    {
        // An interruption loses the parts that are in flight. Small and few parts lose little, and leave bandwidth to others.
        options.UploadPartSizeBytes = 5 << 20;
        options.MaxUploadConcurrency = 2;
        options.Events = events;
    });
    builder.Services.AddTransfer(builder.Configuration.GetSection("Transfer"));
    builder.Services.AddHostedService<UploadWorker>();
    return builder.Build();
}
