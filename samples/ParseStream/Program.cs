using System.Text.Json;
using ParseStream;
using Samples;
using Transfer.S3;

using CancellationTokenSource stop = new();
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = !stop.IsCancellationRequested; // the first Ctrl+C stops the transfer, and a second one ends the process
    stop.Cancel();
};

try
{
    await using SampleStore store = await SampleStore.OpenAsync(stop.Token);

    // Far less memory than the object has bytes. The default is up to 512 MiB.
    TransferClientOptions options = new() { MemoryBytes = 16 << 20 };
    await using TransferClient client = new(store.S3, options);

    string key = args.FirstOrDefault() ?? "samples/readings.jsonl";
    if (args.Length == 0)
    {
        await Readings.WriteAsync(client, store.Bucket, key, count: 500_000, stop.Token);
    }

    await using ObjectReadStream input = await client.OpenReadAsync(store.Bucket, key, cancellationToken: stop.Token);
    IReadOnlyDictionary<string, (long Count, double Average)> stations = await Readings.AverageAsync(input, stop.Token);

    Console.WriteLine($"{stations.Values.Sum(station => station.Count):N0} readings of {stations.Count} stations in {input.Length:N0} bytes");
    foreach ((string station, (_, double average)) in stations.OrderByDescending(station => station.Value.Average).Take(3))
    {
        Console.WriteLine($"{station}: {average:N2} °C on average");
    }

    Console.WriteLine($"Content: {input.Verdict}");
    Console.WriteLine($"Buffers: {client.PeakRentedBytes:N0} of {options.MemoryBytes:N0} bytes at most");
    return 0;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    Console.Error.WriteLine("Canceled.");
    return 130;
}
catch (Exception e) when (e is TransferException or JsonException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
