using Parquet;
using Parquet.Meta;
using Parquet.Schema;
using Transfer.S3;

namespace ReadParquet;

/// <summary>A Parquet file of the readings of weather stations.</summary>
internal static class Weather
{
    private const int RowGroups = 4;
    private const int RowsOfGroup = 200_000;
    private const int Stations = 100;
    private static readonly DataField<string> Station = new("station");
    private static readonly DataField<DateTime> Time = new("time");
    private static readonly DataField<double>[] Measured = [new("celsius"), new("humidity"), new("pressure"), new("wind")];

    /// <summary>Writes the file. Its row groups are uploaded while the next ones are created.</summary>
    public static async Task WriteAsync(ITransferClient client, string bucket, string key, CancellationToken cancellationToken)
    {
        UploadOptions options = new() { ContentType = "application/vnd.apache.parquet" };
        await using ObjectWriteStream output = await client.OpenWriteAsync(bucket, key, options, cancellationToken);
        await using (ParquetWriter writer = await ParquetWriter.CreateAsync(new ParquetSchema([Station, Time, .. Measured]), output, null, false, cancellationToken))
        {
            Random random = new(1);
            for (int number = 0; number < RowGroups; number++)
            {
                await WriteGroupAsync(writer, number, random, cancellationToken);
            }
        }

        await output.CompleteAsync(cancellationToken);
    }

    /// <summary>Finds the bytes of a column in a row group: its dictionary, if it has one, and its data.</summary>
    public static ObjectRange FindColumn(ParquetReader reader, int rowGroup, DataField column)
    {
        using ParquetRowGroupReader group = reader.OpenRowGroupReader(rowGroup);
        ColumnMetaData metadata = group.GetMetadata(column)?.MetaData ?? throw new InvalidDataException($"Row group {rowGroup} has no column {column.Name}.");
        return ObjectRange.From(metadata.DictionaryPageOffset ?? metadata.DataPageOffset, metadata.TotalCompressedSize);
    }

    private static async Task WriteGroupAsync(ParquetWriter writer, int number, Random random, CancellationToken cancellationToken)
    {
        DateTime start = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddDays(number);
        using ParquetRowGroupWriter group = writer.CreateRowGroup();
        await group.WriteAsync(Station, [.. Enumerable.Range(0, RowsOfGroup).Select(row => $"station-{row % Stations:00}")]);
        await group.WriteAsync<DateTime>(Time, Enumerable.Range(0, RowsOfGroup).Select(row => start.AddSeconds(row / Stations)).ToArray(), cancellationToken: cancellationToken);
        foreach (DataField<double> field in Measured)
        {
            double[] values = [.. Enumerable.Range(0, RowsOfGroup).Select(_ => random.NextDouble() * 40)];
            await group.WriteAsync<double>(field, values, cancellationToken: cancellationToken);
        }

        group.CompleteValidate();
    }
}
