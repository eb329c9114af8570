using System.Buffers;
using System.Text.Json;
using Transfer.S3;

namespace ParseStream;

/// <summary>Objects of JSON lines: one reading on each line.</summary>
internal static class Readings
{
    private const int Stations = 100;

    /// <summary>Writes an object with readings of all stations. The length of the object isn't known in advance.</summary>
    public static async Task WriteAsync(ITransferClient client, string bucket, string key, int count, CancellationToken cancellationToken)
    {
        UploadOptions options = new() { ContentType = "application/jsonl" };
        await using ObjectWriteStream output = await client.OpenWriteAsync(bucket, key, options, cancellationToken);
        DateTime start = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        for (int i = 0; i < count; i++)
        {
            int station = i % Stations;
            Reading reading = new($"station-{station:00}", start.AddSeconds(i), station / 4.0 + i / Stations % 2 / 2.0);

            // Both write directly into the buffers that are sent. Full parts are uploaded in the background.
            await JsonSerializer.SerializeAsync(output.Writer, reading, ReadingContext.Default.Reading, cancellationToken);
            output.Writer.Write("\n"u8);
        }

        await output.CompleteAsync(cancellationToken);
    }

    /// <summary>Computes the number of readings and their average for each station.</summary>
    public static async Task<IReadOnlyDictionary<string, (long Count, double Average)>> AverageAsync(ObjectReadStream input, CancellationToken cancellationToken)
    {
        Dictionary<string, (long Count, double Sum)> stations = [];

        // Ranges of the object are fetched ahead in parallel. The serializer parses the buffers that the network filled, one reading at a time.
        IAsyncEnumerable<Reading?> readings = JsonSerializer.DeserializeAsyncEnumerable(input.Reader, ReadingContext.Default.Reading, topLevelValues: true, cancellationToken);
        await foreach (Reading? reading in readings)
        {
            if (reading is not null)
            {
                (long count, double sum) = stations.GetValueOrDefault(reading.Station);
                stations[reading.Station] = (count + 1, sum + reading.Celsius);
            }
        }

        return stations.ToDictionary(static station => station.Key, static station => (station.Value.Count, station.Value.Sum / station.Value.Count));
    }
}
