using Parquet;
using Parquet.Schema;
using ReadParquet;
using Samples;
using Transfer.S3;

const string Key = "samples/weather.parquet";
const string Column = "celsius";

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
    await Weather.WriteAsync(client, store.Bucket, Key, stop.Token);

    // The footer tells where the columns are. It is at the end of a file, so the stream is opened there. Nothing is read ahead, because the footer says what to read.
    SeekableReadOptions options = new() { Open = SeekableOpen.End, MaxReadAheadBytes = 0 };
    await using SeekableObjectStream input = await client.OpenSeekableAsync(store.Bucket, Key, options, stop.Token);
    await using ParquetReader reader = await ParquetReader.CreateAsync(input, null, true, stop.Token);
    Console.WriteLine($"{Key}: {input.Length:N0} bytes, {reader.RowGroupCount} row groups of {string.Join(", ", reader.Schema.DataFields.Select(field => field.Name))}");
    (long requests, long bytes) = (input.Requests, input.BytesReceived);
    Console.WriteLine($"Requests for the footer: {requests:N0} ({bytes:N0} bytes)");

    // The column has one range in each row group. All of them are requested at once, and nothing else.
    DataField column = reader.Schema.FindDataField(Column);
    ObjectRange[] ranges = [.. Enumerable.Range(0, reader.RowGroupCount).Select(number => Weather.FindColumn(reader, number, column))];
    await input.PrefetchAsync(ranges, stop.Token);
    (long rows, double sum) = (0, 0);
    for (int number = 0; number < reader.RowGroupCount; number++)
    {
        using ParquetRowGroupReader group = reader.OpenRowGroupReader(number);
        double[] values = new double[group.RowCount];
        await group.ReadAsync<double>(column, values, cancellationToken: stop.Token);
        rows += values.Length;
        sum += values.Sum();
    }

    Console.WriteLine($"{Column}: {rows:N0} values, {sum / rows:N2} on average");
    Console.WriteLine($"Requests for the column: {input.Requests - requests:N0} ({input.BytesReceived - bytes:N0} bytes; the column has {ranges.Sum(range => range.Length):N0})");
    return 0;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    Console.Error.WriteLine("Canceled.");
    return 130;
}
catch (TransferException e)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
