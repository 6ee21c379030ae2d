package org.ulfmj.benchmarks.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class SvgFigureTest {
    @Test
    void shouldDrawEveryCurveWithItsNameAndBothAxesWithTheirUnits() throws Exception {
        Chart chart = chart(Chart.Scale.POWERS_OF_TEN);
        chart.curve("a < b", Chart.Style.MEASURED).add(16, 24.6).add(64, 37).add(256, 49.3);
        chart.curve("fit", Chart.Style.REFERENCE).add(16, 25).add(256, 50);

        Document svg = parsed(chart);

        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("Latency", "ranks", "latency (µs)", "a < b", "fit", "16", "64", "256");
        // There is a circle per point and one in the legend. The line of a reference is dashed and has no circles.
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(4);
        assertThat(svg.getElementsByTagName("polyline").item(1).getAttributes().getNamedItem("stroke-dasharray"))
                .isNotNull();
    }

    @Test
    void shouldPlaceEqualFactorsAtEqualDistancesOnALogarithmicAxis() {
        AxisScale scale = new AxisScale(Chart.Scale.POWERS_OF_TWO, 16, 1024);

        assertThat(scale.place(64) - scale.place(16)).isCloseTo(scale.place(1024) - scale.place(256), within());
        assertThat(scale.ticks()).containsExactly(16.0, 64.0, 256.0, 1024.0);
    }

    @Test
    void shouldBeginALinearAxisAtZeroAndEndItAtARoundNumber() {
        AxisScale scale = new AxisScale(Chart.Scale.LINEAR, 30, 108);

        assertThat(scale.place(0)).isZero();
        assertThat(scale.place(120)).isCloseTo(1, within());
        assertThat(scale.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0);
    }

    @Test
    void shouldWriteTheNumbersBehindTheFigure() {
        Chart chart = chart(Chart.Scale.LINEAR);
        chart.curve("measured", Chart.Style.MEASURED).add(16, 24.64452).add(32, 30);

        assertThat(chart.toCsv())
                .isEqualTo("curve,\"ranks\",\"latency (µs)\"\n\"measured\",16,24.64452\n\"measured\",32,30\n");
    }

    @Test
    void shouldRefuseAChartWithoutPointsAndALogarithmOfZero() {
        assertThatThrownBy(() -> new SvgFigure(chart(Chart.Scale.LINEAR)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the chart \"Latency\" has no points");
        assertThatThrownBy(() -> new AxisScale(Chart.Scale.POWERS_OF_TEN, 0, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a logarithmic axis cannot show 0.0");
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-9);
    }

    private static Chart chart(Chart.Scale y) {
        return new Chart(
                "latency",
                "Latency",
                new Chart.Axis("ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", y));
    }

    private static Document parsed(Chart chart) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(new SvgFigure(chart).toString())));
    }
}
