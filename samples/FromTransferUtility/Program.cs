using Amazon.Runtime;
using Amazon.S3.Transfer;
using FromTransferUtility;
using Samples;
using Transfer.S3;
using Transfer.S3.TransferUtility;

using CancellationTokenSource stop = new();
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = !stop.IsCancellationRequested; // the first Ctrl+C stops the transfer, and a second one ends the process
    stop.Cancel();
};

string directory = Directory.CreateTempSubdirectory("transfer-sample-").FullName;
try
{
    await using SampleStore store = await SampleStore.OpenAsync(stop.Token);

    // Before
    using TransferUtility utility = new(store.S3);
    await RunAsync(nameof(TransferUtility), new TransferUtilityBackup(utility, store.Bucket));

    // Step 1: the same code with another object
    using TransferUtilityAdapter adapter = new(store.S3);
    await RunAsync(nameof(TransferUtilityAdapter), new TransferUtilityBackup(adapter, store.Bucket));

    // Step 2: the API of the library
    await using TransferClient client = new(store.S3);
    await RunAsync(nameof(TransferClient), new TransferClientBackup(client, store.Bucket));
    return 0;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    Console.Error.WriteLine("Canceled.");
    return 130;
}
catch (Exception e) when (e is TransferException or AmazonServiceException or AmazonClientException)
{
    // TransferUtility and the adapter throw the exceptions of the SDK, and TransferClient throws TransferException.
    Console.Error.WriteLine(e.Message);
    return 1;
}
finally
{
    Directory.Delete(directory, recursive: true);
}

async Task RunAsync(string name, IBackup backup)
{
    string source = Directory.CreateDirectory(Path.Combine(directory, name)).FullName;
    string file = Path.Combine(source, "log.txt");
    await File.WriteAllLinesAsync(file, Enumerable.Range(1, 500_000).Select(i => $"line {i} was written by {name}"), stop.Token);
    await File.WriteAllTextAsync(Path.Combine(source, "notes.txt"), "A small file.", stop.Token);

    Console.WriteLine($"{name}:");
    string copy = Path.Combine(directory, "copy.txt");
    string key = $"samples/{name}/log.txt";
    await backup.SaveAsync(file, key, stop.Token);
    await backup.RestoreAsync(key, copy, stop.Token);
    Console.WriteLine($"  equal: {File.ReadLines(file).SequenceEqual(File.ReadLines(copy))}");
    Console.WriteLine($"  {await backup.CountLinesAsync(key, stop.Token):N0} lines");
    await backup.SaveDirectoryAsync(source, $"samples/{name}/directory", stop.Token);
}
