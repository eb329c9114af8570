using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using ReadArchive;
using Samples;
using Transfer.S3;

const int DefaultMebibytes = 64;
const int LargestMebibytes = 1 << 20; // a terabyte

using CancellationTokenSource stop = new();
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = !stop.IsCancellationRequested; // the first Ctrl+C stops the transfer, and a second one ends the process
    stop.Cancel();
};

try
{
    await using SampleStore store = await SampleStore.OpenAsync(stop.Token);
    await using TransferClient client = new(store.S3);

    // The first argument is the size of the archive to write, or the key of an archive that exists.
    string key = "samples/photos.zip";
    int mebibytes = DefaultMebibytes;
    if (args is [string first, ..] && !int.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out mebibytes))
    {
        key = first;
    }
    else
    {
        await Photos.WriteAsync(client, store.Bucket, key, (long)Math.Clamp(mebibytes, 1, LargestMebibytes) << 20, stop.Token);
    }

    // The list of entries is at the end of an archive, so the stream is opened there.
    SeekableReadOptions options = new() { Open = SeekableOpen.End };
    await using SeekableObjectStream input = await client.OpenSeekableAsync(store.Bucket, key, options, stop.Token);
    await using ZipArchive archive = await ZipArchive.CreateAsync(input, ZipArchiveMode.Read, leaveOpen: true, entryNameEncoding: null, stop.Token);
    Console.WriteLine($"{key}: {archive.Entries.Count:N0} entries in {input.Length:N0} bytes");
    (long requests, long bytes) = (input.Requests, input.BytesReceived);
    Console.WriteLine($"Requests to list: {requests:N0} ({bytes:N0} bytes)");

    string name = args.ElementAtOrDefault(1) ?? archive.Entries.ElementAtOrDefault(archive.Entries.Count / 2)?.FullName ?? string.Empty;
    if (archive.GetEntry(name) is not { } entry)
    {
        Console.Error.WriteLine($"{key} has no entry '{name}'.");
        return 1;
    }

    // Only this entry is requested.
    await using Stream content = await entry.OpenAsync(stop.Token);
    byte[] hash = await SHA256.HashDataAsync(content, stop.Token);
    Console.WriteLine($"{entry.FullName}: {entry.Length:N0} bytes, SHA-256 {Convert.ToHexStringLower(hash)}");
    Console.WriteLine($"Requests to read: {input.Requests - requests:N0} ({input.BytesReceived - bytes:N0} bytes)");
    return 0;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    Console.Error.WriteLine("Canceled.");
    return 130;
}
catch (Exception e) when (e is TransferException or InvalidDataException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
